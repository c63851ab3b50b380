import { forPrograms } from "@/lib/platform/database/deadline";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { isPostgres, openDatabase, type Db } from "@/lib/platform/database/open";
import type { Env } from "@/lib/platform/env/env";
import { keyringOf } from "@/lib/platform/secrets/envelope";
import { databaseFailure } from "./database-failure";
import { hasMarker } from "@/lib/cli/demo/data";
import { sql } from "kysely";
import { existsSync } from "node:fs";
import { CliError, Misconfigured } from "./failure";
import { matchKeys } from "./key-lines";

/**
 * Opens the database, brings its tables up to date and makes sure that it belongs to this configuration. Throws
 * `CliError` in words for the operator. The caller closes it. `migrated`: called with how many migrations ran.
 */
export async function prepareDatabase(
  env: Env,
  { migrated }: { migrated?: (count: number) => void } = {},
): Promise<Db> {
  const db = openDatabase(env.databaseUrl.reveal(), { limits: forPrograms });
  try {
    const count = await migrateToLatest(db);
    migrated?.(count);
  } catch (error) {
    throw databaseFailure(env.databaseUrl, error);
  }
  if (env.mode === "production" && (await hasMarker(db, "demo")))
    throw new Misconfigured(
      "DATABASE_URL is the demo's database, whose passwords are public: set another",
    );
  await matchKeys(db, keyringOf(env.encryptionKeys));
  return db;
}

/**
 * Runs a command's work on the prepared database, and closes it. Throws `CliError`, also where no embedded database is
 * there: opening would create an empty one.
 */
export async function withDatabase(env: Env, work: (db: Db) => Promise<void>): Promise<void> {
  requireDatabase(env);
  const db = await prepareDatabase(env);
  await onDatabase(env, db, work);
}

/** The same with an open database. */
export async function onDatabase(
  { databaseUrl }: Env,
  db: Db,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  try {
    await work(db);
  } catch (error) {
    throw error instanceof CliError ? error : databaseFailure(databaseUrl, error);
  } finally {
    await db.destroy();
  }
}

/** Throws `CliError`. */
export function requireDatabase({ databaseUrl }: Env): void {
  const url = databaseUrl.reveal();
  if (!isPostgres(url) && !existsSync(url.replace(/^file:/, "")))
    throw new CliError(`there is no database at ${url}; nothing was done`);
}

export type DatabaseUser = {
  name: string;
  /** Whether it may change the tables; null: there are none. */
  owns: boolean | null;
  mayCreate: boolean;
};

/** The user of DATABASE_URL; null with the embedded database, which has none. */
export async function databaseUser({ databaseUrl }: Env, db: Db): Promise<DatabaseUser | null> {
  if (!isPostgres(databaseUrl.reveal())) return null;
  const { rows } = await sql<DatabaseUser>`
    select current_user::text as name,
      (select pg_has_role(relowner, 'usage') from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and relname = 'history') as owns,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate"`.execute(db);
  return rows[0] ?? null;
}

/** Only the owner of the tables may change or delete history. Throws `CliError`. */
export async function requireOwner(config: Env, db: Db): Promise<void> {
  const user = await databaseUser(config, db);
  if (user?.owns === false)
    throw new CliError(
      `${user.name} may not change the history: run this with the DATABASE_URL of the user that owns the tables; nothing was changed`,
    );
}
