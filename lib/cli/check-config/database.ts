import { errorCode } from "@/lib/platform/runtime/error-code";
import { ofOwner } from "@/lib/cli/grants";
import { keyProblems } from "@/lib/cli/match-keys";
import { databaseFailure } from "@/lib/cli/database-failure";
import { isDemoDatabase } from "@/lib/cli/demo/marker";
import { compareClocks, isOff } from "@/lib/platform/database/clock";
import { schemaState } from "@/lib/platform/database/migrate";
import { isPostgres, openDatabase, type Db } from "@/lib/platform/database/open";
import { writeFault } from "@/lib/platform/database/write-fault";
import { databaseTls, type Env } from "@/lib/platform/env/env";
import { keyringOf } from "@/lib/platform/secrets/keyring";
import { sql } from "kysely";
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import { finding, type Finding } from "./finding";

/** The privileges of this user of PostgreSQL. */
type Rights = {
  user: string;
  version: string;
  standby: boolean;
  connections: number;
  may_create: boolean;
  /** A table that the user may not read or write, and one that it does not own; null: there is none. */
  closed: string | null;
  foreign: string | null;
  may_edit_history: boolean;
};

/** Whether the database can be reached and used, and what a start would change in it. Changes nothing. */
export async function checkDatabase(config: Env): Promise<Finding[]> {
  const url = config.databaseUrl.reveal();
  if (!isPostgres(url)) {
    const file = path.resolve(url.replace(/^file:/, ""));
    // Opening it would create it.
    if (!existsSync(file)) return [newFile(file), keysAreRead(config)];
  }
  // A fault of its certificate's file is one of the database, too.
  let db: Db | undefined;
  try {
    db = openDatabase(url);
    return await queryDatabase(db, config, isPostgres(url));
  } catch (error) {
    return [
      finding("stops", "database", databaseFailure(config.databaseUrl, error).message),
      finding("note", "encryption keys", "were not tried, because the database was not"),
    ];
  } finally {
    await db?.destroy();
  }
}

function newFile(file: string): Finding {
  const folder = path.dirname(file);
  return isWritable(folder)
    ? finding("ok", "database", `${file} is not there yet; the first start makes it`)
    : finding(
        "stops",
        "database",
        `${file} cannot be created: let this user write to ${folder}, or set DATABASE_URL`,
      );
}

/** Also for a folder that a start would make: whether the nearest existing one can be written. */
export function isWritable(folder: string): boolean {
  const at = path.resolve(folder);
  try {
    accessSync(path.join(at, path.sep), constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    const isGone = errorCode(error) === "ENOENT";
    return isGone && at !== path.dirname(at) && isWritable(path.dirname(at));
  }
}

async function queryDatabase(db: Db, config: Env, onPostgres: boolean): Promise<Finding[]> {
  const started = performance.now();
  await sql`select 1`.execute(db);
  const ms = Math.round(performance.now() - started);
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const isEmpty = !tables.some(({ name }) => name === "kysely_migration");
  const rights = onPostgres ? await readRights(db) : null;
  const found = [
    reached(rights, ms, config),
    ...clockFindings(await compareClocks(db)),
    ...(rights ? poolFindings(rights, config) : []),
  ];
  // No other query works then.
  if (rights?.closed) return [...found, closedFinding(rights.user, rights.closed)];
  const schema = await schemaState(db);
  if (schema === "newer")
    return [
      ...found,
      finding(
        "stops",
        "tables",
        "a newer release has changed them so that this one cannot work with them: start that one, or restore the backup from before the upgrade",
      ),
    ];
  found.push(tablesFinding(rights, schema === "older", isEmpty));
  if (rights && !isEmpty) found.push(...historyFindings(rights));
  if (isEmpty) return [...found, keysAreRead(config)];
  if (schema === "older")
    return [
      ...found,
      finding("note", "encryption keys", "are compared with the tables once they are up to date"),
    ];
  if (config.mode === "production" && (await isDemoDatabase(db)))
    found.push(
      finding(
        "stops",
        "database",
        "is the demo's, whose passwords are public: set DATABASE_URL to another",
      ),
    );
  const fault = await writeFault(db);
  if (fault)
    found.push(
      finding(
        "stops",
        "database",
        fault === "disk_full"
          ? "takes no writes, because its disk is full: free some space"
          : "takes no writes: point DATABASE_URL to the primary server",
      ),
    );
  const lines = await keyProblems(db, keyringOf(config.encryptionKeys));
  return [
    ...found,
    ...(lines.length > 0
      ? lines.map((line) => finding("stops", "encryption keys", line))
      : [finding("ok", "encryption keys", `${idsOf(config)} open what the database has`)]),
  ];
}

function reached(rights: Rights | null, ms: number, { databaseUrl }: Env): Finding {
  if (!rights) return finding("ok", "database", `opened in ${ms} ms`);
  const how = databaseTls(databaseUrl.reveal()).verify
    ? "over TLS, its certificate verified"
    : "without TLS";
  if (rights.standby)
    return finding(
      "stops",
      "database",
      "is a standby, which takes no writes: point DATABASE_URL to the primary server",
    );
  return finding(
    "ok",
    "database",
    `PostgreSQL ${rights.version} answered in ${ms} ms as ${rights.user}, ${how}`,
  );
}

async function readRights(db: Db): Promise<Rights> {
  const { rows } = await sql<Rights>`
    with tables as (
      select c.oid, c.relname, c.relowner from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind in ('r', 'p')
    )
    select
      current_user::text as "user",
      current_setting('server_version') as version,
      pg_is_in_recovery() as standby,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      (select relname::text from tables where not has_table_privilege(oid, 'select')
        or (relname not in (${sql.join(ofOwner)})
          and not has_table_privilege(oid, 'insert')) order by relname limit 1) as closed,
      (select relname::text from tables where not pg_has_role(relowner, 'usage') order by relname limit 1) as "foreign",
      coalesce((select bool_or(has_table_privilege(oid, 'update') or has_table_privilege(oid, 'delete')
        or has_table_privilege(oid, 'truncate')) from tables where relname = 'history'), false) as may_edit_history`.execute(
    db,
  );
  const [rights] = rows;
  if (!rights) throw new Error("PostgreSQL does not say what its user may do");
  return rights;
}

const asOwner =
  "run npm run gancho -- migrate with the DATABASE_URL of the user that owns the tables";

function tablesFinding(rights: Rights | null, isOlder: boolean, isEmpty: boolean): Finding {
  if (isEmpty)
    return rights && !rights.may_create
      ? finding(
          "stops",
          "tables",
          `are not there yet, and ${rights.user} may not create them: ${asOwner}`,
        )
      : finding("ok", "tables", "are not there yet; the first start creates them");
  if (isOlder)
    return rights && (!rights.may_create || rights.foreign !== null)
      ? finding(
          "stops",
          "tables",
          `are of an older release, and ${rights.user} may not change them: ${asOwner}`,
        )
      : finding("ok", "tables", "are of an older release; the next start migrates them");
  return finding("ok", "tables", "are up to date");
}

function closedFinding(user: string, table: string): Finding {
  return finding(
    "stops",
    "tables",
    `${user} may not read or write ${table}: run npm run gancho -- migrate --grant-to ${user} as the user that owns the tables`,
  );
}

function historyFindings({ user, may_edit_history }: Rights): Finding[] {
  return may_edit_history
    ? [
        finding(
          "note",
          "history",
          `${user} could change or delete entries: a user of its own for serving could not (docs/operate.md, Two users of the database)`,
        ),
      ]
    : [finding("ok", "history", `${user} may add entries, and may not change or delete any`)];
}

function clockFindings(aheadMs: number | null): Finding[] {
  if (aheadMs === null) return [];
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return isOff(aheadMs)
    ? [
        finding(
          "fails",
          "clock",
          `this machine's is ${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"} the database's: synchronise both, for example with chrony`,
        ),
      ]
    : [finding("ok", "clock", "this machine's agrees with the database's")];
}

/** All instances together are the operator's to count. */
function poolFindings({ connections }: Rights, { databasePoolSize }: Env): Finding[] {
  return databasePoolSize < connections
    ? []
    : [
        finding(
          "fails",
          "database",
          `takes ${connections} connections, and each instance may want ${databasePoolSize}: lower DATABASE_POOL_SIZE, or raise max_connections`,
        ),
      ];
}

function keysAreRead(config: Env): Finding {
  return finding("ok", "encryption keys", `${idsOf(config)} can be read; nothing is sealed yet`);
}

function idsOf({ encryptionKeys }: Env): string {
  return encryptionKeys.map(({ id }) => id).join(", ");
}
