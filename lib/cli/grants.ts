import type { Db } from "@/lib/platform/database/open";
import { sql } from "kysely";
import { Failure } from "./failure";

/** Tables in which a serving user may add rows, but not change or delete any. */
const appendOnly = ["history"];
/** Tables in which it may not delete rows: without the key in it, nobody could verify a history. */
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
 * Revokes earlier grants first, so that it can run again after each migration. Throws `Failure` for the owner's own
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
    throw new Failure(`${role} is the user of DATABASE_URL, who owns the tables: name another`);
  if (found.tables.length === 0)
    throw new Failure("there are no tables yet: run gancho migrate first");
  const [schema, to] = [quoted(found.schema), quoted(role)];
  const all = found.tables.map((name) => `${schema}.${quoted(name)}`);
  const rightsOf = (name: string) => {
    if (kept.includes(name)) return "select, insert, update";
    if (ofOwner.includes(name)) return "select";
    return appendOnly.includes(name) ? "select, insert" : "select, insert, update, delete";
  };
  return [
    `grant connect on database ${quoted(found.database)} to ${to}`,
    `grant usage on schema ${schema} to ${to}`,
    `revoke create on schema ${schema} from public, ${to}`,
    `revoke all on ${all.join(", ")} from public, ${to}`,
    ...found.tables.map((name) => `grant ${rightsOf(name)} on ${schema}.${quoted(name)} to ${to}`),
  ];
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
