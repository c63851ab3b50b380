import { db } from "@/lib/platform/database/open";
import { startMailServer, type MailServer } from "@/lib/tools/mail-server";
import { createStaff } from "@/lib/staff/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { acceptInvitation } from "./accept";
import { inviteFirstAdmin, inviteMember } from "@/lib/team/testing/with-access";

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
  expect(Object.keys(invited)).toEqual(["invitation", "mail"]);
  expect(invited.mail).toBe("sent");
  expect(mail.mails.map(({ to }) => to)).toEqual([[email]]);
  signInAs(null);
  const person = { name: "Nova Pessoa", password: "a river between two hills" };
  await acceptInvitation({ token: mailed("invitation"), person }, context);
  const added = db().selectFrom("users").select("name").where("email", "=", email);
  expect(await added.execute()).toEqual([{ name: "Nova Pessoa" }]);
});

it("nor is a first admin's, or one that could not be sent", async () => {
  signInAs(operator);
  const other = await world.partner();
  const email = `${randomUUID()}@new.example`;
  expect(await inviteFirstAdmin(other.id, { email }, context)).toMatchObject({
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
  expect(Object.keys(failed)).toEqual(["invitation", "mail"]);
  expect(failed.mail).toBe("failed");
});

it("nor is a password link of the staff (threat: an operator who signs in as support)", async () => {
  signInAs(operator);
  const email = `${randomUUID()}@staff.example`;
  const added = await createStaff({ name: "Paula", email, role: "support" }, context);
  expect(Object.keys(added)).toEqual(["person", "mail"]);
  expect(added.mail).toBe("sent");
  expect(mailed("choose-password")).not.toBe("");
  expect(mail.mails.map(({ to }) => to)).toEqual([[email]]);
});
