import { type Db, isPostgres } from "@/lib/platform/database/open";
import { sql } from "kysely";
import { CliError } from "@/lib/cli/failure";
import { onDatabase, prepareDatabase } from "@/lib/cli/prepare-database";
import { env } from "@/lib/platform/env/env";
import type { Command } from "./command";

/** Tables in which a serving user may add rows, but not change or delete any. */
const appendOnly = ["history"];
/** Tables in which it may not delete rows: without its data key, nobody could verify a history. */
const kept = ["data_keys"];
/** Tables that only a migration, or the removal of history, writes. */
export const ofOwner = [
  "history_checkpoints",
  "kysely_migration",
  "kysely_migration_lock",
  "schema_info",
];

type Found = { owner: string; schema: string; database: string; tables: string[] };

/**
 * The privileges that a user of PostgreSQL needs to serve, as statements for the owner of the tables: everything but
 * changing or deleting history and changing tables. Derived from the present tables, so that new ones are included.
 * Revokes earlier grants first, so that it can run again after each migration. Throws `CliError` for the owner's own
 * name.
 */
export async function servingGrants(db: Db, role: string): Promise<string[]> {
  const { rows } = await sql<Found>`
    select current_user::text as owner, current_schema()::text as schema, current_database()::text as database,
      array(select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind in ('r', 'p') order by 1) as tables`.execute(
    db,
  );
  const [found] = rows;
  if (!found) throw new Error("PostgreSQL does not say which tables there are");
  if (found.owner === role)
    throw new CliError(`${role} is the user of DATABASE_URL, who owns the tables: name another`);
  const [schema, to] = [quoted(found.schema), quoted(role)];
  const all = found.tables.map((name) => `${schema}.${quoted(name)}`);
  return [
    `grant connect on database ${quoted(found.database)} to ${to}`,
    `grant usage on schema ${schema} to ${to}`,
    `revoke create on schema ${schema} from public, ${to}`,
    `revoke all on ${all.join(", ")} from public, ${to}`,
    ...found.tables.map((name) => `grant ${rightsOf(name)} on ${schema}.${quoted(name)} to ${to}`),
  ];
}

function rightsOf(table: string): string {
  if (kept.includes(table)) return "select, insert, update";
  if (ofOwner.includes(table)) return "select";
  return appendOnly.includes(table) ? "select, insert" : "select, insert, update, delete";
}

/** The tables in which the user of this connection lacks rights that it needs to serve, as after a migration alone. */
export async function tablesWithoutRights(db: Db): Promise<string[]> {
  const all = await db.introspection.getTables({ withInternalKyselyTables: true });
  const needed = all.flatMap(({ name }) =>
    rightsOf(name)
      .split(", ")
      .map((right) => ({ name, right })),
  );
  const { rows } = await sql<{ name: string }>`
    select distinct name from json_to_recordset(${JSON.stringify(needed)}) as needed(name text, "right" text)
    where not has_table_privilege(format('%I.%I', current_schema(), name), "right") order by name`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Throws the database's error; a failure leaves the privileges as they were. */
export async function grantServing(db: Db, role: string): Promise<void> {
  const statements = await servingGrants(db, role);
  await db.transaction().execute(async (trx) => {
    for (const statement of statements) await sql.raw(statement).execute(trx);
  });
}

export const command: Command = {
  help: `Usage: gancho migrate [--grant-to ROLE]

Brings the tables of DATABASE_URL up to date. gancho start does this by itself; use this command to do
it earlier, or as another user of the database. If the tables are up to date, it does nothing.

  --grant-to ROLE  then grants this PostgreSQL user the rights that it needs to serve Gancho, and no
                   more: it reads and writes the data that people work with, adds to the history
                   without changing or deleting any of it, and may not create or change tables.
                   Run it as the owner of the tables, before each upgrade:

  createuser --pwprompt gancho_serving
  gancho migrate --grant-to gancho_serving      with DATABASE_URL of the owner
  gancho start                                  with DATABASE_URL of gancho_serving`,
  options: { "grant-to": { type: "string" } },
  positionals: 0,
  run: async ({ values }) => {
    const config = env();
    const role = values["grant-to"];
    if (typeof role === "string" && !isPostgres(config.databaseUrl.reveal()))
      throw new CliError("DATABASE_URL is the embedded database, which has no users of its own");
    let ran = 0;
    const opened = await prepareDatabase(config, { migrated: (count) => (ran = count) });
    await onDatabase(config, opened, async (db) => {
      if (typeof role === "string") await grantServing(db, role);
    });
    console.log(
      ran === 0
        ? "The database was up to date: there was nothing to migrate."
        : `The database is up to date: ${ran === 1 ? "1 migration" : `${ran} migrations`} ran.`,
    );
    if (typeof role === "string") console.log(`Gancho can serve as ${role}.`);
  },
};
