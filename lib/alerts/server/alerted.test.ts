import type { Rule } from "@/e2e/faulty-upstream/plan";
import { sendAll } from "@/lib/alerts/testing/send-all";
import { mail, operators, withMail } from "@/lib/alerts/testing/outbox";
import { update } from "@/lib/platform/database/testing/rows";
import { changeRole, leavePartner, switchFourEyes } from "@/lib/team/testing/with-access";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { decide, origin } from "@/lib/webhooks/testing/four-eyes";
import { readConfiguration } from "@/lib/webhooks/testing/with-access";
import { followDue } from "@/lib/webhooks/server/observe/follow";
import {
  answering,
  as,
  inWorld,
  partner,
  plan,
  remove,
  replace,
  save,
  showing,
  timePasses,
} from "@/lib/webhooks/testing/in-world";
import { beforeEach, describe, expect, it } from "vitest";

const environment = "production";
const url = "https://hooks.example.com/canary-path?key=canary-query";
const moved = "https://other.example.net/canary-path?key=canary-query";

let admin: string;
let author: string;

withMail("operators");
inWorld({ environment, as: null });
beforeEach(async () => {
  [admin, author] = [await partner.person("admin"), await partner.person("editor")];
  await partner.register({ url, authorization: "Bearer canary-one" });
  await as(admin, read);
  await alerted();
});

const read = () => readConfiguration(partner.id, environment, { requestId: "read" });

const saveAs = (who: string, change: Partial<SaveRequest> = {}) =>
  as(who, () => save({ url, authorization: replace("Bearer canary-two"), ...change }));

async function propose(to: string): Promise<string> {
  const result = await saveAs(author, { url: to });
  if (!("proposal" in result)) throw new Error(`expected a proposal, not ${result.outcome}`);
  return result.proposal;
}

/** The alerts since the last call, and who got them by mail. Nothing of it is secret. */
async function alerted() {
  await sendAll();
  const alerts = operators.received.splice(0);
  const mails = mail.mails.splice(0);
  const all = JSON.stringify([alerts, mails]).replace(/=\\n/g, "");
  expect(all).not.toContain("canary");
  expect(all).not.toContain(partner.clientSecret);
  const of = (id: string) => mails.filter(({ to }) => to.includes(`${id}@test.example`)).length;
  return {
    texts: mails.map(({ source }) => source.replace(/=\r?\n/g, "")),
    kinds: alerts.map(({ payload }) => (payload as { type: string }).type).sort(),
    data: alerts.map(({ payload }) => (payload as { data: object }).data),
    admin: of(admin),
    author: of(author),
    mails: mails.length,
  };
}

it("tells admins of an outside change, and who moved a production callback to another host, not of a new path", async () => {
  await partner.register({ url: moved, type: "pix_in" });
  await as(admin, read);
  const outside = await alerted();
  expect(outside).toMatchObject({ kinds: ["changed_outside"], admin: 1, author: 0 });
  const change = { type: "pix_in", before: "hooks.example.com", after: "other.example.net" };
  expect(outside.data).toMatchObject([{ changes: [{ ...change, moved: true }] }]);

  await saveAs(author, {});
  const back = await alerted();
  expect(back).toMatchObject({ kinds: ["address_changed"], admin: 1, author: 0 });
  expect(back.data).toMatchObject([{ by: "The editor", proposedBy: null }]);
  await saveAs(author, { url: `${url}-elsewhere` });
  expect(await alerted()).toMatchObject({ kinds: [], mails: 0 });
});

it("tells admins of a production callback that was saved without a value, whether or not it moved", async () => {
  await saveAs(author, { authorization: remove });
  const removed = await alerted();
  expect(removed).toMatchObject({ kinds: ["authorization_removed"], admin: 1, author: 0 });
  const change = { type: "pix_in", before: "hooks.example.com", moved: false, without: true };
  expect(removed.data).toMatchObject([{ by: "The editor", proposedBy: null, changes: [change] }]);
  expect(removed.texts[0]).toContain(
    "Pix in: at hooks.example.com as before, without an Authorization value",
  );
  await saveAs(admin, { type: "pix_out", url: moved, authorization: remove });
  const gone = await alerted();
  expect(gone).toMatchObject({ kinds: ["address_changed"] });
  expect(gone.data).toMatchObject([{ changes: [{ type: "pix_out", moved: true, without: true }] }]);
  await saveAs(author);
  expect(await alerted()).toMatchObject({ kinds: [], mails: 0 });
});

it("tells admins that a change waits and how it ended, and its author how it ended", async () => {
  await partner.person("admin");
  await as(admin, () => switchFourEyes(partner.id, true, origin));
  await alerted();
  const first = await propose(moved);
  const waits = { kinds: ["approval_waits"], admin: 1, author: 0, mails: 2 };
  expect(await alerted()).toMatchObject(waits);
  await decide(admin, first, "reject", "not ours");
  const rejected = await alerted();
  expect(rejected).toMatchObject({ kinds: ["approval_decided"], admin: 1, author: 1, mails: 3 });
  expect(rejected.data).toMatchObject([{ outcome: "rejected", reason: "not ours" }]);

  const other = await propose(moved);
  await alerted();
  await decide(admin, other, "approve");
  const approved = await alerted();
  expect(approved).toMatchObject({ kinds: ["address_changed", "approval_decided"], author: 1 });
  expect(approved.data).toContainEqual(
    // Has the email address, since another admin has the same name.
    expect.objectContaining({
      by: expect.stringMatching(/^The admin \(.+@test\.example\)$/),
      proposedBy: "The editor",
    }),
  );
});

it("tells the other admins of a new one, who then gets the next alerts", async () => {
  const viewer = await partner.person("viewer");
  await as(admin, () => changeRole(partner.id, viewer, "admin", origin));
  const raised = await alerted();
  expect(raised).toMatchObject({ kinds: ["admin_added"], admin: 1, mails: 1 });
  expect(raised.data).toMatchObject([{ memberId: viewer, by: "The admin" }]);
  await saveAs(author, { url: moved });
  expect(await alerted()).toMatchObject({ kinds: ["address_changed"], mails: 2 });
});

it("tells the others who left as an admin, by the name of their account (threat: a mail that names nobody)", async () => {
  const leaving = await partner.person("admin");
  await update("users", { name: "Lia Prado" }, { id: leaving });
  await as(leaving, () => leavePartner(partner.id, origin));
  const { kinds, data, texts } = await alerted();
  expect(kinds).toEqual(["admin_removed"]);
  expect(data).toMatchObject([{ memberId: leaving, name: "Lia Prado", by: "Lia Prado" }]);
  expect(texts.join("\n")).toContain("Lia Prado");
});

describe("where the service does not show the value that was saved", () => {
  const mask = "Bearer ********";
  const other = "Bearer another";
  type Item = [type: string, address: string, value: string];

  /** The service lists these, `times` times or from now on; the other type is as it was. */
  function listed(items: Item[], times?: number): Rule {
    const rest: Item[] = items.length > 1 ? [] : [["pix_out", url, "Bearer canary-one"]];
    const webhooks = [...items, ...rest].map(([type, callback_url, auth_header]) => {
      return { type, callback_url, auth_header, events: [] };
    });
    return showing(webhooks, times ? { times } : {});
  }
  const saving = async (change: Partial<SaveRequest>) => (await saveAs(author, change)).outcome;

  /** Follows the save until its time limit. */
  async function follow() {
    await as(admin, read);
    await timePasses(600_000);
    await followDue();
    await as(admin, read);
  }

  const isMoved = { type: "pix_in", before: "hooks.example.com", after: "other.example.net" };

  it("tells admins once of a callback that moved, and what Gancho could not compare (threat: a moved address that is not reported)", async () => {
    plan(listed([["pix_in", url, mask]], 2), listed([["pix_in", moved, mask]]));
    expect(await saving({ url: moved })).toBe("partly");
    const told = await alerted();
    expect(told).toMatchObject({ kinds: ["address_changed"], admin: 1, author: 0 });
    expect(told.data).toMatchObject([
      { by: "The editor", changes: [{ ...isMoved, moved: true, value: "not_shown" }] },
    ]);
    expect(told.texts[0]).toContain(
      "Pix in: the dashboard saw this address at the payment service.",
    );
    await follow();
    expect(await alerted()).toMatchObject({ kinds: [], mails: 0 });
  });

  it("tells them when the address is seen, where the service showed it late", async () => {
    plan(answering(200), listed([["pix_in", url, mask]]));
    expect(await saving({ url: moved })).toBe("accepted");
    expect(await alerted()).toMatchObject({ kinds: [] });
    plan(listed([["pix_in", moved, mask]]));
    await as(admin, read);
    expect(await alerted()).toMatchObject({ kinds: ["address_changed"], admin: 1 });
    await follow();
    expect(await alerted()).toMatchObject({ kinds: [], mails: 0 });
  });

  it("tells them of an address with another value, where the list showed another one before", async () => {
    await partner.registerKnown({ url, authorization: "Bearer canary-one" });
    const shown: Item[] = [["pix_in", url, "Bearer shown"]];
    plan(listed(shown));
    await as(admin, read);
    expect(await alerted()).toMatchObject({ kinds: ["changed_outside"] });
    plan(answering(422), listed(shown, 2), listed([["pix_in", moved, other]]));
    expect(await saving({ url: moved })).toBe("partly");
    const told = await alerted();
    expect(told.kinds).toEqual(["address_changed"]);
    expect(told.data).toMatchObject([{ changes: [{ ...isMoved, value: "other" }] }]);
    expect(told.texts[0]).toContain("with a different Authorization value");
    await follow();
    expect(await alerted()).toMatchObject({ kinds: [], mails: 0 });
  });

  it("tells them of an address that is seen after an unclear answer", async () => {
    plan(answering(500), listed([["pix_in", url, "Bearer canary-one"]]));
    expect(await saving({ url: moved })).toBe("unclear");
    expect(await alerted()).toMatchObject({ kinds: [] });
    plan(listed([["pix_in", moved, other]]));
    await as(admin, read);
    const told = await alerted();
    expect(told).toMatchObject({ kinds: ["address_changed"], admin: 1 });
    expect(told.data).toMatchObject([{ changes: [{ ...isMoved, value: "other" }] }]);
  });

  it("tells them of each type when it is shown, where the service shows one after the other", async () => {
    const before: Item[] = [["pix_in", url, mask]];
    const first: Item = ["pix_in", moved, mask];
    plan(answering(200), listed(before, 2), listed([first]));
    expect(await saving({ type: "both", url: moved })).toBe("accepted");
    const told = await alerted();
    expect(told.data).toMatchObject([{ changes: [{ type: "pix_in" }] }]);
    plan(listed([first, ["pix_out", moved, mask]]));
    await as(admin, read);
    const later = await alerted();
    expect(later).toMatchObject({ kinds: ["address_changed"], admin: 1 });
    expect(later.data).toMatchObject([{ changes: [{ type: "pix_out" }] }]);
    await follow();
    expect(await alerted()).toMatchObject({ kinds: [], mails: 0 });
  });
});
