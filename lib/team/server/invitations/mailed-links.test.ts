import { db } from "@/lib/platform/database/open";
import { mail, recipients, withMail } from "@/lib/alerts/testing/outbox";
import { createStaff } from "@/lib/staff/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { inWorld, partner, world } from "@/lib/webhooks/testing/in-world";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { acceptInvitation } from "./accept";
import { inviteFirstAdmin, inviteMember } from "@/lib/team/testing/with-access";

withMail();
inWorld();

const context = { requestId: "q1", clientAddress: null, locale: "en" } as const;

function mailed(page: string): string {
  const text = mail.mails.at(-1)?.source.replace(/=\n/g, "") ?? "";
  return new RegExp(`${page}#([\\w-]+)`).exec(text)?.[1] ?? "";
}

it("only the mailbox gets an invitation's link, also a first admin's and where the mail failed (threat: an admin who accepts in another's name)", async () => {
  const email = `${randomUUID()}@new.example`;
  const invited = await inviteMember(partner.id, { email, role: "editor" }, context);
  expect(Object.keys(invited)).toEqual(["invitation", "mail"]);
  expect(invited.mail).toBe("sent");
  expect(recipients()).toEqual([email]);
  signInAs(null);
  const person = { name: "Nova Pessoa", password: "a river between two hills" };
  await acceptInvitation({ token: mailed("invitation"), person }, context);
  const added = db().selectFrom("users").select("name").where("email", "=", email);
  expect(await added.execute()).toEqual([{ name: "Nova Pessoa" }]);

  signInAs(await world.staff("operator"));
  const { id } = await world.partner();
  const first = { email: `${randomUUID()}@new.example` };
  expect(await inviteFirstAdmin(id, first, context)).toMatchObject({ mail: "sent" });
  mail.manner = "refuse";
  const failed = await inviteFirstAdmin(id, first, context);
  expect(Object.keys(failed)).toEqual(["invitation", "mail"]);
  expect(failed.mail).toBe("failed");
});

it("only the mailbox gets the password link of a person added to the staff (threat: an operator who signs in as support)", async () => {
  signInAs(await world.staff("operator"));
  const email = `${randomUUID()}@staff.example`;
  const added = await createStaff({ name: "Paula", email, role: "support" }, context);
  expect(Object.keys(added)).toEqual(["person", "mail"]);
  expect(added.mail).toBe("sent");
  expect(mailed("choose-password")).not.toBe("");
  expect(recipients()).toEqual([email]);
});
