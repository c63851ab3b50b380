import "server-only";
import { sql, Migrator, PostgresAdapter, type Migration } from "kysely";
import type { Executor, Db } from "./open";
import { tables } from "./tables";
import packageJson from "@/package.json";
import { setTimeout as after } from "node:timers/promises";
import { creating, type Table } from "./columns";
import { forPrograms, msLeft } from "./deadline";
import { DatabaseUnavailable } from "./unavailable";

/**
 * The database itself refuses to edit the history, also for a program with a bug or a person with a console. It deletes
 * only what is behind a checkpoint, and lets the network address of an entry be set to null.
 */
async function guardHistory(db: Executor, isPostgres: boolean): Promise<void> {
  const statements = isPostgres ? onPostgres : onSqlite;
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const behindCheckpoint =
  "exists (select 1 from history_checkpoints c where c.partner_id = old.partner_id and c.seq >= old.seq)";

const isErasure = [
  "new.client_address is null",
  ...Object.keys(tables.history.columns)
    .filter((column) => column !== "client_address")
    .map((column) => `new.${column} is not distinct from old.${column}`),
].join(" and ");

const onPostgres = [
  `create function history_is_append_only() returns trigger language plpgsql as
    $$ begin raise exception 'history is append-only'; end $$`,
  `create trigger history_append_only before truncate on history
    for each statement execute function history_is_append_only()`,
  `create trigger history_no_update before update on history
    for each row when (not (${isErasure})) execute function history_is_append_only()`,
  `create function history_is_behind_checkpoint() returns trigger language plpgsql as
    $$ begin
      if not ${behindCheckpoint} then raise exception 'history is append-only'; end if;
      return old;
    end $$`,
  `create trigger history_no_delete before delete on history
    for each row execute function history_is_behind_checkpoint()`,
  // The role that Gancho runs as may not even try.
  "revoke update, delete, truncate on history from current_user",
];

const refuse = "begin select raise(abort, 'history is append-only'); end";

const onSqlite = [
  `create trigger history_no_update before update on history when not (${isErasure}) ${refuse}`,
  `create trigger history_no_delete before delete on history when not ${behindCheckpoint} ${refuse}`,
  // "insert or replace" deletes without firing the trigger above.
  `create trigger history_no_replace before insert on history
    when exists (
      select 1 from history where id = new.id or (partner_id = new.partner_id and seq = new.seq)
    ) ${refuse}`,
];

/** What the code of one release knows of the tables. */
export type Release = {
  version: string;
  /** The oldest release that may work with the tables as these migrations leave them. */
  worksSince: string;
  /** In order of their names; one of a release is never edited. */
  migrations: Record<string, Migration>;
};

const firstTables: Migration = {
  async up(db: Db) {
    const isPostgres = isOnPostgres(db);
    for (const [name, table] of Object.entries<Table>(tables))
      for (const statement of creating(name, table, { onPostgres: isPostgres }))
        await sql.raw(statement).execute(db);
    await guardHistory(db, isPostgres);
  },
};

export const thisRelease: Release = {
  version: packageJson.version,
  worksSince: "0.1.0",
  migrations: { "0001-tables": firstTables },
};

/**
 * `current`: the tables have everything that this release needs. `newer`: a newer release has changed them so that this
 * one must not work with them.
 */
export type SchemaState = "current" | "older" | "newer";

/** Rejects when the database is unavailable. */
export async function schemaState(db: Db, release = thisRelease): Promise<SchemaState> {
  const found = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!found.some(({ name }) => name === "schema_info")) return "older";
  const worksSince = await worksSinceOf(db);
  if (isOlder(release.version, worksSince)) return "newer";
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(release.migrations).every((name) => done.has(name)) ? "current" : "older";
}

/** The same in one statement, for tables that were found to be current: only a newer release changes them. */
export async function isStillCurrent(db: Db): Promise<boolean> {
  return !isOlder(thisRelease.version, await worksSinceOf(db));
}

async function worksSinceOf(db: Db): Promise<string> {
  const info = await db.selectFrom("schema_info").select("works_since").executeTakeFirstOrThrow();
  return info.works_since;
}

/** Of versions such as 1.20.3. */
function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}

/**
 * Brings the tables up to date; does nothing when they are, or when a newer release has brought them further and this
 * one can still work with them. Safe when several processes start at once. Resolves with the number of migrations that
 * ran. Rejects with the first migration's error, or where this release cannot work with the tables; a failure leaves
 * them as they were.
 */
export async function migrateToLatest(db: Db, release = thisRelease): Promise<number> {
  // SQLite's one writer is lock enough.
  if (!isOnPostgres(db)) return migrate(db, release);
  const giveUpAt = performance.now() + msLeft(forPrograms.statementMs);
  // One connection holds the lock and does nothing else; the migrator uses another. A waiting process holds none:
  // behind a pooler with few connections, many instances that start at once would leave none to the one that migrates.
  const whenLocked = () =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ taken: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(lockId)}) as taken`.execute(trx);
      return rows[0]?.taken ? migrate(db, release) : null;
    });
  for (;;) {
    const ran = await whenLocked();
    if (ran !== null) return ran;
    if (performance.now() > giveUpAt)
      throw new DatabaseUnavailable(
        "locked",
        "another instance is changing the tables for too long",
      );
    await after(pollMs);
  }
}

const pollMs = 200;

/** Any number that nothing else in the database locks. */
const lockId = 3_853_314_791_062_309_107n;

function isOnPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

async function migrate(db: Db, { version, worksSince, migrations }: Release): Promise<number> {
  const state = await schemaState(db, { version, worksSince, migrations });
  if (state === "current") return 0;
  if (state === "newer")
    throw new Error(
      `a newer release has changed its tables, and release ${version} cannot work with them: start ` +
        `${await worksSinceOf(db)} or newer, or restore the backup from before the upgrade. Nothing was changed`,
    );
  const noting = Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
    name,
    {
      async up(trx: Db) {
        // Whatever the limit of requests: a large table takes time.
        if (isOnPostgres(trx)) await sql`set local statement_timeout = 0`.execute(trx);
        await up(trx);
        await recordWorksSince(trx, worksSince);
      },
    },
  ]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(noting) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.length;
}

async function recordWorksSince(trx: Db, worksSince: string): Promise<void> {
  await trx.deleteFrom("schema_info").execute();
  await trx.insertInto("schema_info").values({ works_since: worksSince }).execute();
}
