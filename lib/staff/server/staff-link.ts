import "server-only";
import { issuePasswordLink, linkHours } from "@/lib/platform/auth/passwords/password-link";
import type { Database } from "@/lib/platform/database/tables";
import { sendAccountMail } from "@/lib/platform/mail/account-mail";
import type { Transaction } from "kysely";
import type { IssuedLink, StaffPerson } from "@/lib/staff/model/staff";

/** A link with which this staff person chooses a password, as it may reach them; null: they get none. */
export async function makeLink(
  trx: Transaction<Database>,
  { id, link }: Pick<StaffPerson, "id" | "link">,
  by: { id: string; name: string },
): Promise<string | null> {
  if (link === null) return null;
  const maker = { by: by.name, byId: by.id };
  return issuePasswordLink(trx, id, { proves: link === "mail" ? "mail" : null, ...maker });
}

/** Mails it and shows it to nobody; or lets the operator hand it over. */
export async function handOver(
  person: StaffPerson,
  link: string | null,
  by: { name: string },
): Promise<IssuedLink> {
  if (link === null || person.link !== "mail") return { person, link, mail: "off" };
  const hours = linkHours.made;
  const mail = await sendAccountMail(person, { kind: "password_link", link, hours, by: by.name });
  return { person, link: null, mail };
}
