import { hasProvenAddress } from "@/lib/platform/auth/proven-address";
import { readPasswordLink } from "@/lib/platform/auth/passwords/password-link";
import { db } from "@/lib/platform/database/open";
import { startMailServer, type MailServer } from "@/lib/platform/mail/testing/mail-server";
import { createStaff, renewPasswordLink } from "@/lib/staff/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { acceptInvitation } from "./accept";
import { inviteFirstAdmin, inviteMember, readTeam } from "@/lib/team/testing/with-access";

let mail: MailServer;
let world: World;
let partner: TestPartner;
let admin: string;
let operator: string;

beforeAll(async () => {
  mail = await startMailServer();
  Object.assign(process.env, { SMTP_URL: mail.url, MAIL_FROM: "gancho@example.com" });
  world = await startWorld();
  partner = await world.partner();
  admin = await partner.person("admin");
  operator = await world.staff("operator");
  await db()
    .updateTable("users")
    .set({ address_proven_at: 1, address_proven_by: "terminal" })
    .where("id", "in", [admin, operator])
    .execute();
});
afterAll(async () => {
  await world.close();
  await mail.close();
});
beforeEach(() => {
  mail.mails.length = 0;
});

const context = { requestId: "q1", clientAddress: null, locale: "en" } as const;

function mailed(page: string): string {
  const text = mail.mails.at(-1)?.source.replace(/=\n/g, "").replace(/=3D/g, "=") ?? "";
  return new RegExp(`${page}#([\\w-]+)`).exec(text)?.[1] ?? "";
}

it("an invitation is shown only to the mailbox (threat: an admin who accepts in another's name)", async () => {
  const email = `${randomUUID()}@new.example`;
  signInAs(admin);
  const invited = await inviteMember(partner.id, { email, role: "editor" }, context);
  expect(invited).toMatchObject({ link: null, mail: "sent" });
  expect(mail.mails.map(({ to }) => to)).toEqual([[email]]);
  signInAs(null);
  const person = { name: "Nova Pessoa", password: "a river between two hills" };
  await acceptInvitation({ token: mailed("invitation"), person }, context);
  const row = await db()
    .selectFrom("users")
    .selectAll()
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ address_proven_by: "mail" });
  expect(hasProvenAddress(row)).toBe(true);
});

it("nor is a first admin's, or one that could not be sent", async () => {
  signInAs(operator);
  const other = await world.partner();
  const email = `${randomUUID()}@new.example`;
  expect(await inviteFirstAdmin(other.id, { email }, context)).toMatchObject({
    link: null,
    mail: "sent",
  });
  const refusing = await startMailServer({ refuse: true });
  const { env } = await import("@/lib/platform/env/env");
  const { Secret } = await import("@/lib/platform/runtime/secret");
  const settings = env().mail;
  if (!settings) throw new Error("no mail");
  const { url } = settings;
  settings.url = new Secret(refusing.url);
  const failed = await inviteFirstAdmin(other.id, { email }, context);
  settings.url = url;
  await refusing.close();
  expect(failed).toMatchObject({ link: null, mail: "failed" });
});

it("nor is a password link of the staff (threat: an operator who signs in as support)", async () => {
  signInAs(operator);
  const email = `${randomUUID()}@staff.example`;
  const added = await createStaff({ name: "Paula", email, role: "support" }, context);
  expect(added).toMatchObject({ link: null, mail: "sent", person: { link: "mail" } });
  expect(mailed("choose-password")).not.toBe("");
  const renewed = await renewPasswordLink(added.person.id, context);
  expect(renewed).toMatchObject({ link: null, mail: "sent" });
  expect(mail.mails.map(({ to }) => to)).toEqual([[email], [email]]);
});

it("nor does it work once its maker lost access (threat: a way in that outlives the right to make it)", async () => {
  const maker = await world.staff("operator");
  const set = (values: { address_proven_at: number } | { disabled_at: number }) =>
    db().updateTable("users").set(values).where("id", "=", maker).execute();
  await set({ address_proven_at: 1 });
  signInAs(maker);
  const email = `${randomUUID()}@staff.example`;
  await createStaff({ name: "Paula", email, role: "support" }, context);
  const token = mailed("choose-password");
  expect((await readPasswordLink(token)).state).toBe("open");
  await set({ disabled_at: 1 });
  expect((await readPasswordLink(token)).state).toBe("used");
});

it("members request a link themselves, and an admin makes none", async () => {
  const member = await partner.person("viewer");
  await db().updateTable("users").set({ password_hash: "x" }).where("id", "=", member).execute();
  signInAs(admin);
  const { members } = await readTeam(partner.id);
  expect(members.find(({ id }) => id === member)).toMatchObject({ link: false, unproven: true });
});
