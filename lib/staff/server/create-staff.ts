import "server-only";
import { fieldRefused } from "@/lib/platform/http/model/refusals";
import { recheckStaffRole } from "@/lib/platform/access/recheck-role";
import type { StaffAccess } from "@/lib/platform/access/require";
import { isNameTaken } from "@/lib/platform/auth/person-names";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db, type Executor } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import type { AddedStaff, NewStaff } from "@/lib/staff/model/staff";
import { issuePasswordLink, linkHours } from "@/lib/platform/auth/passwords/password-link";
import { sendAccountMail } from "@/lib/platform/mail/account-mail";
import { findStaff } from "./stored-person";
import type { Transaction } from "kysely";
import { recordPerson, type PersonEntry } from "@/lib/history/server/record/record-person";
import type { Database } from "@/lib/platform/database/tables";
import type { StaffRole } from "@/lib/platform/access/model/roles";
import { randomUUID } from "node:crypto";

/**
 * Adds a person to the staff and mails a link with which they choose their password, so that nobody else ever knows it.
 * Throws the problems of `requireStepUp`, or `invalid_fields` where somebody has
 * the address, or nobody may have the name.
 */
export async function createStaff(
  access: StaffAccess<"staff.manage">,
  { name, email, role }: NewStaff,
  context: RequestContext,
): Promise<AddedStaff> {
  const { viewer } = access;
  await requireStepUp(access);
  if (isNameTaken(name)) throw fieldRefused("name", "name_taken");
  const { person, link } = await db()
    .transaction()
    .execute(async (trx) => {
      await recheckStaffRole(trx, access);
      const added = await insertStaff(trx, { name, email, role, passwordHash: null });
      if (added === null) throw fieldRefused("email", "taken");
      const stored = await findStaff(trx, added, viewer.id);
      if (!stored) throw new Error("who was added is not there");
      const made = await issuePasswordLink(trx, added, "made", { madeById: viewer.id });
      await recordStaffAdded(trx, { id: added, name, email, role }, { ...context, who: viewer });
      return { person: stored, link: made };
    });
  log.info({ ...context, actorId: viewer.id, userId: person.id, role }, "staff was added");
  const hours = linkHours.made;
  const mail = { kind: "password_link", link, hours, by: viewer.name } as const;
  return { person, mail: await sendAccountMail(person, mail) };
}

type StaffRow = {
  name: string;
  /** Lower-case. */
  email: string;
  role: StaffRole;
  /** null: they have yet to choose one, or sign in elsewhere. A set one was typed at the terminal. */
  passwordHash: string | null;
};

/** Adds a person to the staff and returns their id, or null where somebody has the address already. On trust. */
export async function insertStaff(
  db: Executor,
  { name, email, role, passwordHash }: StaffRow,
): Promise<string | null> {
  const inserted = await db
    .insertInto("users")
    .values({
      id: randomUUID(),
      name,
      email,
      password_hash: passwordHash,
      staff_role: role,
      disabled_at: null,
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id ?? null;
}

type Added = { id: string; name: string; email: string; role: StaffRole };

/** The entry that somebody was added to the staff, by an operator or at the terminal: the transaction's last step. */
export async function recordStaffAdded(
  trx: Transaction<Database>,
  { id, name, email, role }: Added,
  by: Pick<PersonEntry, "who" | "clientAddress" | "requestId">,
): Promise<void> {
  await recordPerson(trx, {
    ...by,
    kind: "staff_added",
    outcome: null,
    detail: { userId: id, name, email, role },
  });
}
