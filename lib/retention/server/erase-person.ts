import "server-only";
import { erasedAddress, erasedPerson } from "@/lib/platform/secrets/model/people";
import {
  atTheTerminal,
  byNobody,
  recordPerson,
  recordHistory,
} from "@/lib/history/server/record/record";
import { endAlertAddresses } from "@/lib/platform/auth/end-alert-addresses";
import { adminsOf } from "@/lib/platform/auth/right-to-invite";
import type { Db, Executor } from "@/lib/platform/database/open";
import { accountTables } from "./person-rows";
import { lockPartner, lockPerson } from "@/lib/platform/database/row-locks";
import type { Database } from "@/lib/platform/database/tables";
import { steadyNow } from "@/lib/platform/database/steady-clock";
import { log } from "@/lib/platform/log/log";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { PostgresAdapter, sql, type Transaction } from "kysely";

/** What Gancho stores about the person with an address, and what erasing them removes. */
export type Erasure = {
  /** null: there is no account, only invitations to this address. */
  person: { id: string; name: string; staffRole: "support" | "operator" | null } | null;
  /** Partners that they belong to. */
  partners: string[];
  invitations: number;
  /** Alert addresses of partners that are theirs. */
  alertAddresses: number;
  /** Entries that name them or show their address, in all histories. */
  entries: number;
  /** Why they cannot be erased; empty where they can. */
  because: string[];
};

/** null: nobody has this address (lower-case), was invited with it or is alerted at it. Changes nothing. */
export async function previewErasure(db: Executor, email: string): Promise<Erasure | null> {
  const person = await findPerson(db, email);
  const invitations = await db
    .selectFrom("invitations")
    .select("id")
    .where("email", "=", email)
    .execute();
  const alertAddresses = await alertAddressesOf(db, email);
  if (!person && invitations.length === 0 && alertAddresses.length === 0) return null;
  const memberships = person ? await membershipsOf(db, person.id) : [];
  return {
    person,
    partners: memberships.map(({ partner_id }) => partner_id),
    invitations: invitations.length,
    alertAddresses: alertAddresses.length,
    entries: await countEntries(db, [
      ...(person ? [person.id] : []),
      ...invitations.map(({ id }) => id),
      email,
    ]),
    because: person ? await reasonsAgainst(db, person, memberships) : [],
  };
}

async function findPerson(db: Executor, email: string): Promise<Erasure["person"]> {
  const row = await db
    .selectFrom("users")
    .select(["id", "name", "staff_role"])
    .where("email", "=", email)
    .executeTakeFirst();
  return row ? { id: row.id, name: row.name, staffRole: row.staff_role } : null;
}

type Membership = { partner_id: string; role: Database["memberships"]["role"] };

async function membershipsOf(db: Executor, userId: string): Promise<Membership[]> {
  return db
    .selectFrom("memberships")
    .select(["partner_id", "role"])
    .where("user_id", "=", userId)
    .orderBy("partner_id")
    .execute();
}

function alertAddressesOf(db: Executor, email: string) {
  return db
    .selectFrom("alert_addresses")
    .select("partner_id")
    .where("address", "=", email)
    .execute();
}

/** `texts`: the id of the account, those of invitations to the address, and the address. */
async function countEntries(db: Executor, texts: readonly string[]): Promise<number> {
  const named = texts.flatMap((text) => [
    sql`actor_id = ${text}`,
    sql`detail_json like ${`%${JSON.stringify(text)}%`}`,
  ]);
  const { rows } = await sql<{ entries: number }>`
    select count(*) as entries from history where ${sql.join(named, sql` or `)}`.execute(db);
  return Number(rows[0]?.entries ?? 0);
}

/** What would be left without an admin or operator, or unfinished. */
async function reasonsAgainst(
  db: Executor,
  person: NonNullable<Erasure["person"]>,
  memberships: readonly Membership[],
): Promise<string[]> {
  const reasons: string[] = [];
  if (person.staffRole === "operator" && !(await hasOtherOperator(db, person.id)))
    reasons.push("they are the only operator: add another one first (create-operator)");
  for (const { partner_id, role } of memberships) {
    const admins = role === "admin" ? await adminsOf(db, partner_id) : null;
    if (admins?.every((id) => id === person.id))
      reasons.push(`they are the only admin of ${partner_id}: make somebody else one first`);
  }
  const waiting = await db
    .selectFrom("changes")
    .select("partner_id")
    .where("state", "=", "waiting")
    .where("author_id", "=", person.id)
    .execute();
  for (const { partner_id } of waiting)
    reasons.push(
      `a change of theirs waits for approval at ${partner_id}: have it withdrawn, or wait a day`,
    );
  const timeMs = saveTimings.followAtMs.at(-1) ?? 0;
  const open = await db
    .selectFrom("changes")
    .select("partner_id")
    .where(({ fn }) => fn.coalesce("decided_by_id", "author_id"), "=", person.id)
    // A service that cannot be read may keep one open for longer. One from before the clock began again does not count.
    .where(({ eb, or, and }) =>
      or([
        eb("state", "=", "sent"),
        and([
          eb("state", "=", "answered"),
          eb.between("sent_at", sql<number>`${steadyNow()} - ${sql.lit(timeMs)}`, steadyNow()),
        ]),
      ]),
    )
    .executeTakeFirst();
  if (open) reasons.push(`Gancho still follows a save of theirs at ${open.partner_id}: try later`);
  return reasons;
}

async function hasOtherOperator(db: Executor, userId: string): Promise<boolean> {
  const other = await db
    .selectFrom("users")
    .select("id")
    .where("staff_role", "=", "operator")
    .where("disabled_at", "is", null)
    .where("id", "!=", userId)
    .executeTakeFirst();
  return other !== undefined;
}

/** Only `erased` changed anything. */
export type Erased = { outcome: "erased" } | { outcome: "refused"; because: string[] };

/**
 * Erases the person with this address (lower-case), for good and in one transaction: their name, which other rows only
 * refer to, their network addresses in the history, and their sign-in data. Only the account's id stays, by which the
 * history distinguishes erased people. Needs the database user that owns the tables.
 */
export async function erasePerson(db: Db, email: string): Promise<Erased> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const outcome = await db.transaction().execute(async (trx): Promise<Erased> => {
    // Overwrites deleted data.
    if (!isPostgres) await sql`pragma secure_delete = on`.execute(trx);
    const person = await findPerson(trx, email);
    if (person) await lockPerson(trx, person.id);
    const memberships = person ? await membershipsOf(trx, person.id) : [];
    for (const { partner_id } of memberships) await lockPartner(trx, partner_id);
    const because = person ? await reasonsAgainst(trx, person, memberships) : [];
    if (because.length > 0) return { outcome: "refused", because };
    await endInvitations(trx, email);
    const alerted = await alertAddressesOf(trx, email);
    for (const { partner_id } of alerted)
      await endAlertAddresses(trx, { partner_id, address: email }, null, noOrigin);
    if (person) {
      await leavePartners(trx, person.id, memberships);
      await forgetChanges(trx, person.id);
      await emptyAccount(trx, person.id);
      await forgetAddresses(trx, person.id, isPostgres);
    }
    await recordPerson(trx, {
      ...atTheTerminal,
      kind: "person_erased",
      outcome: null,
      detail: { userId: person?.id ?? null },
    });
    return { outcome: "erased" };
  });
  if (outcome.outcome === "erased") {
    log.warn("a person was erased at the terminal");
    await cleanUp(db, isPostgres);
  }
  return outcome;
}

/** Removes the deleted data from the write-ahead log and from dead rows. Where it fails, the database does so later. */
async function cleanUp(db: Db, isPostgres: boolean): Promise<void> {
  const statement = isPostgres
    ? sql`vacuum history, users, sessions, invitations, changes, alert_deliveries`
    : sql`pragma wal_checkpoint(truncate)`;
  await statement.execute(db).catch((err: unknown) => {
    log.warn({ err }, "the database keeps deleted rows until it cleans up by itself");
  });
}

/** On PostgreSQL, the owner lacks the right to update, and grants it to itself for this transaction alone. */
async function forgetAddresses(
  trx: Transaction<Database>,
  id: string,
  isPostgres: boolean,
): Promise<void> {
  const own = sql`update (client_address) on history`;
  if (isPostgres) await sql`grant ${own} to current_user`.execute(trx);
  await trx
    .updateTable("history")
    .set({ client_address: null })
    // Who asks for a password link is not signed in yet.
    .where(({ or, and, eb }) =>
      or([eb("actor_id", "=", id), and([eb("actor_id", "is", null), eb("subject_id", "=", id)])]),
    )
    .where("client_address", "is not", null)
    .execute();
  if (isPostgres) await sql`revoke ${own} from current_user`.execute(trx);
}

const noOrigin = { requestId: null, clientAddress: null };

const noName = { name: erasedPerson, email: erasedPerson };

async function endInvitations(trx: Transaction<Database>, email: string): Promise<void> {
  const rows = await trx
    .deleteFrom("invitations")
    .where("email", "=", email)
    .returning(["id", "partner_id", "role", "accepted_at", "revoked_at", "expires_at"])
    .execute();
  for (const { id, partner_id, role, accepted_at, revoked_at, expires_at } of rows)
    if (accepted_at === null && revoked_at === null && expires_at > databaseTime())
      await recordHistory(trx, {
        ...byNobody,
        partnerId: partner_id,
        kind: "invitation_revoked",
        detail: { invitationId: id, email: erasedPerson, role, replaced: false },
      });
}

async function leavePartners(
  trx: Transaction<Database>,
  userId: string,
  memberships: readonly Membership[],
): Promise<void> {
  await trx.deleteFrom("memberships").where("user_id", "=", userId).execute();
  for (const { partner_id, role } of memberships)
    await recordHistory(trx, {
      ...byNobody,
      partnerId: partner_id,
      kind: "member_removed",
      detail: { userId, ...noName, role },
    });
}

/** Rows refer to people by id; those of changes also have where they were made from. */
async function forgetChanges(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .updateTable("changes")
    .set({ client_address: null })
    .where(({ fn }) => fn.coalesce("decided_by_id", "author_id"), "=", id)
    .execute();
}

/** Deletes the account's sign-in data, sessions and alerts; its id stays, for rows that refer to it. */
async function emptyAccount(trx: Transaction<Database>, id: string): Promise<void> {
  for (const table of accountTables)
    await sql`delete from ${sql.table(table)} where user_id = ${id}`.execute(trx);
  // Alerts about a person's account also go to the operators' webhook.
  await trx
    .deleteFrom("alert_deliveries")
    .where(({ eb, or }) =>
      or([
        eb("recipient", "=", id),
        eb("data_json", "like", `%${JSON.stringify({ userId: id }).slice(1, -1)}%`),
      ]),
    )
    .execute();
  await trx
    .updateTable("users")
    .set({
      email: erasedAddress(id),
      name: erasedPerson,
      password_hash: null,
      staff_role: null,
      disabled_at: databaseTime(),
      locale: null,
    })
    .where("id", "=", id)
    .execute();
}
