import { mail, recipients, withMail } from "@/lib/alerts/testing/outbox";
import { sendAll } from "@/lib/alerts/testing/send-all";
import { historyOf } from "@/lib/history/testing/people-entries";
import { db } from "@/lib/platform/database/open";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { codeOf, thrownProblem } from "@/lib/platform/http/testing/thrown-problem";
import {
  addAlertAddress,
  readTeam,
  changeRole,
  removeAlertAddress,
  removeMember,
  inviteMember,
} from "@/lib/team/testing/with-access";
import { readMail } from "@/lib/tools/mail-server";
import { inWorld, nextPartner, partner, save } from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { confirmAlertAddress } from "./alert-addresses";

withMail();
inWorld({ environment: "production", as: null });

const context = { requestId: "q1", clientAddress: "192.0.2.9" };
let admin: string;
let address: string;
beforeEach(async () => {
  admin = await partner.person("admin");
  signInAs(admin);
  address = `oncall-${randomUUID()}@group.example`;
});

const add = (given = address) => addAlertAddress(partner.id, given, context);
const mailsTo = (to: string) => mail.mails.filter((each) => each.to.includes(to)).map(readMail);
const tokenFor = (to: string) =>
  /alert-address#([\w-]{43})/.exec(mailsTo(to).at(-1)?.text ?? "")?.[1] ?? "";
const confirm = async (to = address) => confirmAlertAddress(tokenFor(to), context);
const addresses = async () => (await readTeam(partner.id)).alertAddresses;
const kinds = async () => (await historyOf(partner.id)).map(({ kind }) => kind);

/** Something that admins get a mail about. */
async function move(path: string): Promise<void> {
  await save({ url: `https://${path}.example.com/secret-path` });
  await sendAll();
}

it("gets what admins get about the webhooks once somebody who reads it confirms, and nothing after it is removed", async () => {
  expect(await add()).toEqual({ mail: "sent" });
  expect(await addresses()).toMatchObject([{ address, state: "waiting", failingSince: null }]);
  await move("one");
  expect(mailsTo(address)).toHaveLength(1);

  expect(await confirm()).toEqual({ address, partner: `Partner ${partner.id}` });
  expect(await addresses()).toMatchObject([{ state: "confirmed" }]);
  await move("two");
  const alert = mailsTo(address)[1];
  expect(alert?.text).toContain("callback URL");
  expect(alert?.text).toContain(`This address gets alerts about Partner ${partner.id}`);
  expect(alert?.text).not.toContain("secret-path");
  expect(recipients().filter((to) => to.includes(admin))).toHaveLength(2);

  await removeAlertAddress(partner.id, (await addresses())[0]?.id ?? "", context);
  await move("three");
  expect(mailsTo(address)).toHaveLength(2);
  const ofAddress = (await historyOf(partner.id)).filter(({ kind }) => kind.startsWith("alert_"));
  expect(ofAddress.map(({ kind, actor_id, detail }) => [kind, actor_id, detail])).toEqual([
    ["alert_address_added", admin, { address }],
    ["alert_address_confirmed", null, { address }],
    ["alert_address_removed", admin, { address }],
  ]);
});

it("gets nothing about the team or a person", async () => {
  await add();
  await confirm();
  await inviteMember(
    partner.id,
    { email: `${randomUUID()}@new.example`, role: "admin" },
    { ...context, locale: "en" },
  );
  await sendAll();
  expect(mailsTo(address)).toHaveLength(1);
});

it("is confirmed by its link alone, within 72 hours, and a newer link ends the older (threat: somebody who has another group's mailbox flooded)", async () => {
  await add();
  const older = tokenFor(address);
  await add();
  expect(await kinds()).toEqual(["alert_address_added"]);
  expect((await thrownProblem(confirmAlertAddress(older, context))).code).toBe("not_found");
  expect((await thrownProblem(confirmAlertAddress("made-up", context))).code).toBe("not_found");
  await update("alert_addresses", { expires_at: Date.now() - 1 }, { address });
  expect(await addresses()).toMatchObject([{ state: "expired" }]);
  expect((await thrownProblem(confirm())).code).toBe("not_found");
  await add();
  await confirm();
  // Pressed twice, and later.
  await update("alert_addresses", { expires_at: Date.now() - 1 }, { address });
  await confirm();
  expect(await kinds()).toEqual(["alert_address_added", "alert_address_confirmed"]);
  expect(await codeOf(add())).toBe("invalid_fields");
});

it("says since when the mail server refuses it, until it takes mail again", async () => {
  await add();
  await confirm();
  mail.manner = "refuse";
  await move("one");
  expect((await addresses())[0]?.failingSince).not.toBeNull();
  mail.manner = "take";
  await sendAll(() => Date.now() + 60_000);
  expect((await addresses())[0]?.failingSince).toBeNull();
});

it("is one of five at most, and thirty links an hour (threat: mail to strangers in the operator's name)", async () => {
  for (let at = 0; at < 5; at += 1) await add(`${at}-${address}`);
  const refused = await thrownProblem(add(`6-${address}`));
  expect(refused.init.errors).toMatchObject([{ path: "address", code: "too_many" }]);
  for (let at = 0; at < 24; at += 1) await add(`0-${address}`);
  expect(await codeOf(add(`0-${address}`))).toBe("too_many_requests");
});

it("of another partner is neither seen nor removed", async () => {
  await add();
  const { id } = await rowOf("alert_addresses", { address });
  await nextPartner();
  signInAs(await partner.person("admin"));
  expect(await addresses()).toEqual([]);
  expect(await codeOf(removeAlertAddress(partner.id, id, context))).toBe("not_found");
  expect(
    await db().selectFrom("alert_addresses").select("id").where("id", "=", id).execute(),
  ).toHaveLength(1);
});

describe("of an admin who loses the right", () => {
  it.each([
    ["is removed", (id: string) => removeMember(partner.id, id, context)],
    ["becomes an editor", (id: string) => changeRole(partner.id, id, "editor", context)],
  ])(
    "their own one ends when the admin %s, and Team says who added the others (threat: alerts that outlive access)",
    async (_, lose) => {
      const leaves = await partner.person("admin");
      const { email } = await rowOf("users", { id: leaves });
      signInAs(leaves);
      await add(email);
      await confirm(email);
      await add();
      signInAs(admin);
      await lose(leaves);
      expect(await addresses()).toMatchObject([{ address, addedBy: { id: leaves } }]);
      const before = mailsTo(email).length;
      await move("after");
      expect(
        mailsTo(email)
          .slice(before)
          .map(({ subject }) => subject),
      ).not.toContainEqual(expect.stringContaining("callback"));
      const removed = await historyOf(partner.id, "alert_address_removed");
      expect(removed.map(({ actor_id, detail }) => [actor_id, detail])).toEqual([
        [admin, { address: email }],
      ]);
    },
  );
});
