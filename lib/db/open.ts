import "server-only";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { processWide } from "@/lib/process-wide";
import { Kysely, PostgresDialect, type Transaction } from "kysely";
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

function postgresDialect(connectionString: string): PostgresDialect {
  const pool = new pg.Pool({
    connectionString,
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
