import { decisionOn } from "@/lib/changes/server/proposals";
import { givePasskey } from "@/lib/account/testing/account-world";
import { requireEnvironment, requirePartner } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { connectionOf } from "@/lib/partners/server/connection";
import { changeRole, switchFourEyes } from "@/lib/team/testing/with-access";
import { mail, recipients, withMail } from "@/lib/alerts/testing/outbox";
import { sendAll } from "@/lib/alerts/testing/send-all";
import {
  decideProposal,
  dismissEnded,
  readEnded,
  readConfiguration,
} from "@/lib/webhooks/testing/with-access";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeEach, describe, expect, it } from "vitest";
import type { Connection } from "@/lib/connection/model/connection";
import { readConnection, replaceConnection } from "@/lib/connection/testing/with-access";
import type { ConnectionRequest } from "@/lib/connection/model/request";
import { switchTo } from "./replace";
import { decide, origin } from "@/lib/webhooks/testing/four-eyes";
import { as, history, inWorld, nextPartner, partner, world } from "@/lib/webhooks/testing/in-world";

/** Not named production: an environment's name does not make it one. */
const environment = "pix-live";
const secret = "canary-of-a-proposed-secret";

let author: string;
let admin: string;

withMail();
inWorld({ environment, as: null });
beforeEach(async () => {
  author = await partner.person("admin");
  admin = await partner.person("admin");
  await as(author, () => switchFourEyes(partner.id, true, origin));
  serviceTakes(secret);
  // Mail of the switch, or of the test before, must not count here.
  await sendAll();
  mail.mails = [];
});

/** From now on the service accepts only this secret. */
function serviceTakes(client_secret: string): void {
  const active = true;
  world.sandbox.setClients([
    { client_id: partner.clientId, client_secret, active },
    { client_id: `${partner.clientId}-x`, client_secret, active },
  ]);
}

const get = (person = author) => as(person, () => readConnection(partner.id, environment));

async function put(person: string, changes: Partial<ConnectionRequest> = {}) {
  const { clientId, version } = await get(person);
  const request = { clientId: clientId ?? "", version, clientSecret: secret, ...changes };
  return as(person, () => replaceConnection(partner.id, environment, request, origin));
}

async function propose(person = author, changes: Partial<ConnectionRequest> = {}) {
  const result = await put(person, changes);
  const { proposal } = "outcome" in result ? result.connection : { proposal: null };
  if (!proposal) throw new Error("expected a proposal");
  return proposal.id;
}

async function kinds() {
  const entries = (await history()).filter(({ kind }) => kind.startsWith("connection"));
  return entries.map(({ kind, outcome, actor_id }) => [kind, outcome, actor_id]);
}

const stored = async (id: string) => {
  const row = await rowOf("changes", { id });
  return { ...row, state: decisionOn(row) ?? "waiting" };
};

describe("replacing credentials in production where that takes two", () => {
  it("waits, with the secret encrypted, until another admin approves it (threat: one admin leads all others to another callback)", async () => {
    const id = await propose(author, { clientId: `${partner.clientId}-x`, reason: "ticket 1" });
    const waiting = await get(admin);
    expect(waiting).toMatchObject({
      clientId: partner.clientId,
      version: 1,
      fourEyes: true,
      proposal: {
        id,
        clientIdBefore: partner.clientId,
        clientId: `${partner.clientId}-x`,
        secretReplaced: true,
        reason: "ticket 1",
        by: { id: author },
        approvers: [{ id: admin }],
      },
    });
    expect(JSON.stringify([waiting, await stored(id)])).not.toContain(secret);

    const now = (await decide(admin, id, "approve")) as Connection;
    expect(now).toMatchObject({
      clientId: `${partner.clientId}-x`,
      version: 2,
      changedBy: expect.stringMatching(/^The admin \(/) as string,
      approvedBy: expect.stringMatching(/^The admin \(/) as string,
      proposal: null,
      lastCheck: { ok: true },
    });
    expect(await stored(id)).toMatchObject({ state: "approved", secret_ciphertext: null });
    expect(await kinds()).toEqual([
      ["connection_proposal_made", null, author],
      ["connection_proposal_ended", "approved", admin],
      ["connection_changed", "replaced", admin],
    ]);
    const { stale } = await as(author, () =>
      readConfiguration(partner.id, environment, { requestId: "test" }),
    );
    expect(stale).toBe(false);
  });

  it.each(["secret", "client id"])("waits also for the %s alone", async (what) => {
    serviceTakes(what === "secret" ? secret : partner.clientSecret);
    const request =
      what === "secret"
        ? { clientId: partner.clientId, clientSecret: secret, version: 1 }
        : { clientId: `${partner.clientId}-x`, version: 1 };
    const result = await as(author, () =>
      replaceConnection(partner.id, environment, request, origin),
    );
    expect(result).toMatchObject({ outcome: "waiting" });
    expect((await get()).version).toBe(1);
  });

  it("waits also for those that do not work, if the author insists, and says so", async () => {
    serviceTakes("another");
    expect(await codeOf(put(author))).toBe("credentials_rejected");
    const id = await propose(author, { saveUnchecked: true });
    expect((await get(admin)).proposal).toMatchObject({ fault: "credentials_rejected" });
    await decide(admin, id, "approve");
    expect(await get()).toMatchObject({ version: 2, lastCheck: { ok: false } });
  });

  it("does not wait where nothing is set up yet, or where one person is enough", async () => {
    await db().deleteFrom("connections").where("partner_id", "=", partner.id).execute();
    expect(await put(author, { clientId: partner.clientId })).toMatchObject({ version: 1 });
    await nextPartner();
    serviceTakes(secret);
    expect(await put(await partner.person("admin"))).toMatchObject({ version: 2 });
  });

  it("is refused at the last step where four-eyes approval was switched on meanwhile (threat: a request that outlives the rule)", async () => {
    const access = await as(author, () => requirePartner(partner.id, "connection.write"));
    const before = await connectionOf(partner.id, requireEnvironment(environment));
    if (!before) throw new Error("expected a connection");
    const actor = { id: author, name: "The admin", clientAddress: null };
    const context = { partnerId: partner.id, environment, actor, requestId: "test" };
    const candidate = { ...before, version: before.version + 1, clientId: "another" };
    const run = { access, candidate, before, secretReplaced: false, fault: null, context };
    expect(await codeOf(switchTo(run))).toBe("changed_meanwhile");
    expect((await get()).version).toBe(1);
  });

  it("is mailed to the admins, when it is proposed and when it is done", async () => {
    const id = await propose();
    await sendAll();
    const both = [author, admin].map((person) => `${person}@test.example`).sort();
    expect(recipients()).toEqual(both);
    await decide(admin, id, "approve");
    await sendAll();
    expect(mail.mails).toHaveLength(4);
    for (const { source } of mail.mails) expect(source).not.toContain(secret);
  });

  it("replaces the waiting one only once the person has seen it", async () => {
    const first = await propose();
    expect(await codeOf(put(admin))).toBe("proposal_pending");
    const second = await propose(admin, { replaces: first });
    expect((await stored(first)).state).toBe("replaced");
    expect((await get()).proposal).toMatchObject({ id: second });
  });
});

describe("approving credentials", () => {
  it("takes a passkey from an approver who has one: their password is not enough (threat: a stolen password)", async () => {
    const id = await propose();
    const confirm = await givePasskey(admin);
    const params = { partner: partner.id, environment, proposal: id };
    const approve = () => decideProposal(params, { decision: "approve" }, origin);
    expect(await codeOf(approve())).toBe("reauthentication_required");
    expect(await stored(id)).toMatchObject({ state: "waiting" });
    await confirm();
    expect(await approve()).toMatchObject({ version: 2 });
  });

  it("is refused to the author, an editor, and a person whom the author admitted (threat: being both persons)", async () => {
    const id = await propose();
    const puppet = await partner.person("viewer");
    await as(author, () => changeRole(partner.id, puppet, "admin", origin));
    for (const [person, refused] of [
      [author, "own_proposal"],
      [await partner.person("editor"), "forbidden"],
      [puppet, "no_second_person"],
    ] as const)
      expect(await codeOf(decide(person, id, "approve"))).toBe(refused);
    expect((await get()).version).toBe(1);
  });

  it("is refused where the author is no admin any more (threat: credentials that outlive their author)", async () => {
    const id = await propose();
    await as(admin, () => changeRole(partner.id, author, "editor", origin));
    expect(await codeOf(decide(admin, id, "approve"))).toBe("author_may_not");
    expect((await get(admin)).proposal).toMatchObject({ id, approvers: null });
  });

  it("is refused where other credentials are in use by now", async () => {
    const id = await propose();
    await update("connections", { version: 2 }, { partner_id: partner.id });
    expect(await codeOf(decide(admin, id, "approve"))).toBe("proposal_stale");
  });

  it("leaves them waiting where they do not work by now", async () => {
    const id = await propose();
    serviceTakes("replaced since");
    expect(await codeOf(decide(admin, id, "approve"))).toBe("credentials_rejected");
    expect(await stored(id)).toMatchObject({ state: "waiting" });
    expect((await get()).version).toBe(1);
  });

  it("races rejecting and withdrawing, and only one of them wins", async () => {
    const id = await propose();
    const third = await partner.person("admin");
    await Promise.allSettled([
      decide(admin, id, "approve"),
      decide(third, id, "approve"),
      decide(third, id, "reject", "not ours"),
      decide(author, id, "withdraw"),
    ]);
    const ends = (await kinds()).filter(([kind]) => kind === "connection_proposal_ended");
    expect(ends).toHaveLength(1);
    const { state } = await stored(id);
    expect(ends[0]?.[1]).toBe(state);
    expect((await get()).version).toBe(state === "approved" ? 2 : 1);
  });
});

it("tells admins alone that credentials wait, and their author who rejected them and why, until dismissed; the secret is deleted", async () => {
  const id = await propose();
  const params = { partner: partner.id, environment };
  const seenBy = async (who: string) => (await as(who, () => readEnded(params))).credentialsBy;
  expect(await seenBy(author)).toContain("The admin");
  expect(await seenBy(await partner.person("editor"))).toBeNull();
  expect(await codeOf(decide(author, id, "reject", "not ours"))).toBe("own_proposal");
  await decide(admin, id, "reject", "not ours");
  expect(await stored(id)).toMatchObject({ state: "rejected", secret_ciphertext: null });
  const { ended } = await as(author, () => readEnded(params));
  expect(ended).toMatchObject([
    { id, about: { kind: "connection" }, state: "rejected", reason: "not ours" },
  ]);
  await as(author, () => dismissEnded({ ...params, proposal: id }));
  const nothing = { ended: [], credentialsBy: null };
  expect(await as(author, () => readEnded(params))).toEqual(nothing);
});
