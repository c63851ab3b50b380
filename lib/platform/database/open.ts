import "server-only";
import { databaseTls, env } from "@/lib/platform/env/env";
import {
  countDatabaseFailure,
  countStatement,
  expectFailures,
} from "@/lib/platform/metrics/metrics";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { Kysely, type Transaction } from "kysely";
import { readFileSync } from "node:fs";
import { checkServerIdentity } from "node:tls";
import pg from "pg";
import { forRequests, type DatabaseLimits } from "./deadline";
import { boundedPool, PooledDialect } from "./postgres";
import { sqliteDialect } from "./sqlite";
import type { Database } from "./tables";
import { tracked } from "./tracked";
import { isDatabaseUnavailable, reasons } from "./unavailable";

export type Db = Kysely<Database>;
/** Either the database or a transaction on it. */
export type Executor = Db | Transaction<Database>;

/** The process's database, from DATABASE_URL. */
export function db(): Db {
  return processWide("db", () => {
    expectFailures([...reasons, refused]);
    return openDatabase(env().databaseUrl.reveal());
  });
}

/**
 * Connections for probes alone, which wait for nothing that requests do: one for what is asked, and one for a write that
 * is tried.
 */
export function probeDb(): Db {
  return processWide("probe-db", () =>
    openDatabase(env().databaseUrl.reveal(), { poolSize: 2, forProbes: true }),
  );
}

type Options = {
  /** Longer waits fail as `DatabaseUnavailable`. */
  limits?: DatabaseLimits;
  /** The maximum number of connections to PostgreSQL. */
  poolSize?: number;
  /** The figures of connections leave it out. */
  forProbes?: boolean;
};

/** `file:path` opens (and creates) an embedded database; `postgres://…` a pool of connections. */
export function openDatabase(url: string, options: Options = {}): Db {
  const { limits = forRequests, poolSize = 20, forProbes = false } = options;
  return new Kysely<Database>({
    dialect: tracked(
      isPostgres(url)
        ? postgresDialect(url, limits, { poolSize, forProbes })
        : sqliteDialect(url, limits),
    ),
    log: (event) => {
      countStatement(event.queryDurationMillis);
      // The others are counted where they arise (unavailable.ts).
      if (event.level === "error" && !isDatabaseUnavailable(event.error))
        countDatabaseFailure(refused);
    },
  });
}

/** The database refused a statement for its own fault. */
const refused = "refused";

export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

const int8 = 20;

/** Without the parameters that `tlsOf` reads: for the driver the address would win. */
function withoutTls(url: string): string {
  const address = new URL(url);
  for (const name of ["sslmode", "sslrootcert"]) address.searchParams.delete(name);
  return address.href;
}

/** Always set: otherwise the driver reads environment variables of its own. */
function tlsOf(url: string): pg.PoolConfig["ssl"] {
  const tls = databaseTls(url);
  if (!tls.verify) return false;
  const host = tls.host.replace(/^\[|\]$/g, "");
  return {
    rejectUnauthorized: true,
    ...(tls.caFile !== null && { ca: readFileSync(tls.caFile, "utf8") }),
    // The driver does not compare an IP address with the certificate: any certificate for localhost would do.
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  };
}

function postgresDialect(
  url: string,
  limits: DatabaseLimits,
  { poolSize, forProbes }: Required<Pick<Options, "poolSize" | "forProbes">>,
): PooledDialect {
  const pool = boundedPool(
    {
      connectionString: withoutTls(url),
      ssl: tlsOf(url),
      max: poolSize,
      types: {
        // Timestamps are int8; all of ours are exact as numbers.
        getTypeParser: (oid: number, format?: "text" | "binary") =>
          oid === int8 ? Number : pg.types.getTypeParser(oid, format as "text"),
      },
    },
    limits,
    { forProbes },
  );
  return new PooledDialect({ pool });
}
