import "server-only";
import { type StaffAccess, requireId } from "@/lib/platform/access/require";
import { type Executor, db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { StaffPerson, AddedStaff, NewStaff, StaffChange } from "@/lib/staff/model/staff";
import { fieldRefused, ProblemError } from "@/lib/platform/http/model/problem";
import { recheckStaffRole } from "@/lib/platform/access/recheck-role";
import { isNameTaken } from "@/lib/platform/auth/person-names";
import { endAccessGivenBy } from "@/lib/platform/auth/right-to-invite";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import { issuePasswordLink, linkHours } from "@/lib/platform/auth/passwords/password-link";
import { sendAccountMail } from "@/lib/platform/mail/account-mail";
import type { NotNull, Transaction } from "kysely";
import { recordPerson, type PersonEntry } from "@/lib/history/server/record/record";
import type { Database } from "@/lib/platform/database/tables";
import { randomUUID } from "node:crypto";
import type { Viewer } from "@/lib/platform/access/viewer";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";
import { databaseTime } from "@/lib/platform/runtime/database-time";

/** The staff, by name; chosen field by field, no hash among them. */
async function storedStaff(db: Executor, viewerId: string): Promise<StaffPerson[]> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "name", "email", "staff_role", "disabled_at", "password_hash"])
    .select((eb) => [
      eb
        .exists(eb.selectFrom("identities").select("subject").whereRef("user_id", "=", "users.id"))
        .as("linked"),
    ])
    .where("staff_role", "is not", null)
    .orderBy("name")
    .orderBy("id")
    .$narrowType<{ staff_role: NotNull }>()
    .execute();
  return rows.map(({ id, name, email, staff_role, disabled_at, ...row }) => ({
    id,
    name,
    email,
    role: staff_role,
    disabled: disabled_at !== null,
    waiting: row.password_hash === null && !row.linked,
    you: id === viewerId,
  }));
}

/** One of the staff; null for anybody else. */
async function findStaff(db: Executor, id: string, viewerId: string): Promise<StaffPerson | null> {
  return (await storedStaff(db, viewerId)).find((person) => person.id === id) ?? null;
}

export async function listStaff({ viewer }: StaffAccess<"staff.manage">): Promise<StaffPerson[]> {
  return storedStaff(db(), viewer.id);
}

/**
 * Adds a person to the staff and mails a link with which they choose their password, so that nobody else ever knows it;
 * none where they sign in at the provider alone.
 * Throws the problems of `requireStepUp`, or `invalid_fields` where the address is taken or the name not allowed.
 */
export async function createStaff(
  access: StaffAccess<"staff.manage">,
  { name, email, role }: NewStaff,
  context: RequestContext,
): Promise<AddedStaff> {
  const { viewer } = access;
  await requireStepUp(access);
  if (isNameTaken(name, [])) throw fieldRefused("name", "name_taken");
  const { person, link } = await db()
    .transaction()
    .execute(async (trx) => {
      await recheckStaffRole(trx, access);
      const added = await insertStaff(trx, { name, email, role, passwordHash: null });
      if (added === null) throw fieldRefused("email", "taken");
      const stored = await findStaff(trx, added, viewer.id);
      if (!stored) throw new Error("who was added is not there");
      const made = env().oidc?.isOnlyWay
        ? null
        : await issuePasswordLink(trx, added, "made", { madeById: viewer.id });
      await recordStaffAdded(trx, { id: added, name, email, role }, { ...context, who: viewer });
      return { person: stored, link: made };
    });
  log.info({ ...context, actorId: viewer.id, userId: person.id, role }, "staff was added");
  if (link === null) return { person, mail: "provider" };
  const hours = linkHours.made;
  const mail = { kind: "password_link", link, hours, by: viewer.name } as const;
  return { person, mail: await sendAccountMail(person, mail) };
}

/**
 * Adds a person to the staff and returns their id, or null where the address is taken. A `passwordHash` of null: they
 * choose a password later, or use single sign-on. Checks no access.
 */
export async function insertStaff(
  db: Executor,
  { name, email, role, passwordHash }: NewStaff & { passwordHash: string | null },
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
      created_at: databaseTime(),
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id ?? null;
}

/** Records that an operator or the terminal added a person to the staff. Must be the transaction's last step. */
export async function recordStaffAdded(
  trx: Transaction<Database>,
  { id, name, email, role }: NewStaff & { id: string },
  by: Pick<PersonEntry, "who" | "clientAddress" | "requestId">,
): Promise<void> {
  await recordPerson(trx, {
    ...by,
    kind: "staff_added",
    outcome: null,
    detail: { userId: id, name, email, role },
  });
}

/**
 * Removes a person's access at once, or restores it. Nobody removes their own, so that an operator is always left.
 * Throws the problems of `requireStepUp`, `not_found`, or `forbidden` for oneself.
 */
export async function changeStaff(
  { viewer, session }: StaffAccess<"staff.manage">,
  personId: string,
  { disabled }: StaffChange,
  context: RequestContext,
): Promise<StaffPerson> {
  await requireStepUp({ session });
  const person = await db()
    .transaction()
    .execute(async (trx) => {
      const found = await lockStaff(trx, requireId(personId), viewer);
      if (found.you) throw new ProblemError("forbidden", { applied: "no" });
      if (found.disabled === disabled) return found;
      await trx
        .updateTable("users")
        .set({ disabled_at: disabled ? databaseTime() : null })
        .where("id", "=", found.id)
        .execute();
      if (disabled) {
        await endSessionsOf(trx, found.id, "disabled");
        await endAccessGivenBy(trx, found.id, viewer, context);
      }
      await recordPerson(trx, {
        ...context,
        who: viewer,
        kind: "staff_access_changed",
        outcome: disabled ? "disabled" : "enabled",
        detail: { userId: found.id, name: found.name, email: found.email },
      });
      return { ...found, disabled };
    });
  log.info({ ...context, actorId: viewer.id, userId: person.id, disabled }, "staff was changed");
  return person;
}

/**
 * Serialises changes of the staff, and checks the actor's access again: of two operators who remove each other at once,
 * one is left. Throws `forbidden` or `not_found`.
 */
async function lockStaff(
  trx: Transaction<Database>,
  personId: string,
  viewer: Viewer,
): Promise<StaffPerson> {
  await trx
    .updateTable("users")
    .set((eb) => ({ id: eb.ref("id") }))
    .where("staff_role", "=", "operator")
    .execute();
  await recheckStaffRole(trx, { viewer });
  const person = await findStaff(trx, personId, viewer.id);
  if (!person) throw new ProblemError("not_found", { applied: "no" });
  return person;
}
