import "server-only";
import { databaseTls, env } from "@/lib/env";
import { log } from "@/lib/log";
import { processWide } from "@/lib/process-wide";
import { Kysely, PostgresDialect, type Transaction } from "kysely";
import { readFileSync } from "node:fs";
import { checkServerIdentity } from "node:tls";
import pg from "pg";
import { withAfterCommit } from "./after-commit";
import type { Database } from "./schema";
import { sqliteDialect } from "./sqlite";

export type Db = Kysely<Database>;
/** Either the database or a transaction on it. */
export type Executor = Db | Transaction<Database>;

/** The process's database, from DATABASE_URL. */
export function db(): Db {
  return processWide("db", () => openDatabase(env().databaseUrl.reveal()));
}

/** `file:path` opens (and creates) an embedded database; `postgres://…` a pool of connections. */
export function openDatabase(url: string): Db {
  return new Kysely<Database>({
    dialect: withAfterCommit(isPostgres(url) ? postgresDialect(url) : sqliteDialect(url)),
  });
}

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

const int8 = 20;

/** Said either way: where nothing is said, the driver looks for variables of its own. */
function tlsOf(url: string): pg.PoolConfig["ssl"] {
  const tls = databaseTls(url);
  if (!tls.verify) return false;
  const host = tls.host.replace(/^\[|\]$/g, "");
  return {
    rejectUnauthorized: true,
    ...(tls.caFile !== null && { ca: readFileSync(tls.caFile, "utf8") }),
    // The driver has an IP address compared with nothing: any certificate that is for localhost would do.
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  };
}

function postgresDialect(connectionString: string): PostgresDialect {
  const pool = new pg.Pool({
    connectionString,
    ssl: tlsOf(connectionString),
    max: 20,
    // Neither may hold a person's request for ever: waiting for a connection while many ask at once, nor a statement.
    connectionTimeoutMillis: 10_000,
    statement_timeout: 10_000,
    types: {
      // Moments are int8; all of ours are exact as numbers.
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format as "text"),
    },
  });
  // Connections are cut, as by a restart of the server. Whoever is waiting for an answer is told by its query; where
  // nobody is, between two queries or in the pool, the news must be heard by somebody, or it ends the process.
  const lost = (err: Error) => log.warn({ err }, "a database connection was lost");
  pool.on("error", lost);
  pool.on("connect", (client) => client.on("error", lost));
  return new PostgresDialect({ pool });
}
