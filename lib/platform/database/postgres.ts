import "server-only";
import { errorCode } from "@/lib/platform/runtime/network-error";
import { log } from "@/lib/platform/log/log";
import { withTimeout } from "@/lib/platform/runtime/deadline";
import { processWide } from "@/lib/platform/runtime/process-wide";
import {
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from "kysely";
import pg from "pg";
import { msLeft, type DatabaseLimits } from "./deadline";
import {
  DatabaseUnavailable,
  isDatabaseUnavailable,
  recordAnswer,
  recordSilence,
  type Reason,
} from "./unavailable";

/**
 * Without the migrator's lock, which belongs to a session: behind a pooler one session would take it and another
 * release it, so that it would stay for good. `migrateToLatest` holds one that ends with its transaction.
 */
export class PooledDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new AdapterWithoutSessions();
  }
}

class AdapterWithoutSessions extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {
    // See above.
  }
  override async releaseMigrationLock(): Promise<void> {
    // See above.
  }
}

type OwnPool = { pool: pg.Pool; since: number; renew: () => void; forProbes: boolean };
const pools = () => processWide("database-pools", () => new Set<OwnPool>());

/** How this process's connections to PostgreSQL are used now, without those of probes. */
export function poolUse(): { busy: number; idle: number; waiting: number; most: number } {
  const use = { busy: 0, idle: 0, waiting: 0, most: 0 };
  for (const { pool, forProbes } of pools()) {
    if (forProbes) continue;
    use.idle += pool.idleCount;
    use.busy += pool.totalCount - pool.idleCount;
    use.waiting += pool.waitingCount;
    use.most += pool.options.max;
  }
  return use;
}

/** The server ends a statement a little before we stop waiting: its error costs no connection. */
const serverEndsEarlierMs = 500;

/** The system then sends ten probes, one a second: a dead connection is closed after 20 seconds. */
const keepAliveDelayMs = 10_000;

/**
 * A pool in which no wait is endless. A server that fails over silently leaves connections that swallow everything: the
 * first of them that does not answer in time ends all of the process that are older, of which those in use end with
 * their work. Throws faults that are not the statement's as `DatabaseUnavailable`.
 */
export function boundedPool(
  config: pg.PoolConfig,
  limits: DatabaseLimits,
  { forProbes }: { forProbes: boolean },
): PostgresPool {
  const open = () => {
    const pool = new pg.Pool({
      ...config,
      connectionTimeoutMillis: limits.acquireMs,
      statement_timeout: limits.statementMs - serverEndsEarlierMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveDelayMs,
    });
    const lost = (err: Error) => log.warn({ err }, "a database connection was lost");
    pool.on("error", lost);
    // Where nobody awaits an answer, the error still needs a listener, or it ends the process.
    pool.on("connect", (client) => client.on("error", lost));
    return { pool, since: performance.now() };
  };
  const own = {
    ...open(),
    forProbes,
    renew: () => {
      void own.pool.end();
      Object.assign(own, open());
    },
  };
  pools().add(own);
  return {
    // Without the interface's cursors, which nothing here uses.
    connect: async () =>
      new Leased(await connected(own.pool, limits), limits) as unknown as PostgresPoolClient,
    end: () => {
      pools().delete(own);
      return own.pool.end();
    },
  };
}

/** `moment`: when something was asked that met a server which does not answer, or no longer serves. */
function renewOlderThan(moment: number): void {
  for (const { since, renew } of pools()) if (since < moment) renew();
}

async function connected(pool: pg.Pool, { acquireMs }: DatabaseLimits): Promise<pg.PoolClient> {
  const ms = msLeft(acquireMs);
  const connecting = pool.connect();
  const made = await withTimeout(ms, connecting).catch((cause: unknown) => {
    throw new DatabaseUnavailable("no_answer", messageOf(cause), { cause });
  });
  if (made.inTime) return made.value;
  // It may still come: then it serves other callers.
  connecting.then(
    (client) => client.release(),
    () => undefined,
  );
  throw new DatabaseUnavailable("no_answer", `no connection within ${ms} ms`);
}

/** A connection in use. Where its state is unknown, it is closed, and the server then rolls back. */
class Leased {
  readonly #client: pg.PoolClient;
  readonly #limits: DatabaseLimits;
  #broken: Error | null = null;

  constructor(client: pg.PoolClient, limits: DatabaseLimits) {
    this.#client = client;
    this.#limits = limits;
  }

  async query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.#broken) throw this.#broken;
    const began = performance.now();
    const ms = msLeft(this.#limits.statementMs);
    try {
      if (ms <= 0) throw new DatabaseUnavailable("no_answer", "no time was left to ask it");
      const asked = { text, values: [...parameters], query_timeout: ms };
      const result = await this.#client.query(asked);
      recordAnswer();
      return result;
    } catch (cause) {
      if (!isOfServer(cause) && performance.now() - began >= this.#limits.statementMs)
        recordSilence(began);
      const thrown = unavailable(cause);
      if (!keepsConnection(cause)) renewOlderThan(began);
      // A transaction that is not rolled back must end with its connection.
      if (!keepsConnection(cause) || text === "rollback") this.#broken = thrown as Error;
      throw thrown;
    }
  }

  release(): void {
    this.#client.release(this.#broken ?? undefined);
  }
}

/** An error that the server answered with; after any other the outcome is unknown. */
function isOfServer(err: unknown): err is Error & { severity: string } {
  return err instanceof Error && "severity" in err;
}

/** Severity ERROR: the statement is undone, and the connection stays usable. FATAL may come after a commit. */
function isFinal(err: unknown): boolean {
  return isOfServer(err) && err.severity === "ERROR";
}

const readOnly = "25006";

/** A server that refuses writes was demoted: a new connection may lead to the one that took over. */
function keepsConnection(err: unknown): boolean {
  return isDatabaseUnavailable(err) || (isFinal(err) && errorCode(err) !== readOnly);
}

/** By SQLSTATE, or its class: errors that have nothing to do with the statement. */
const reasons: Partial<Record<string, Reason>> = {
  "08": "no_answer",
  [readOnly]: "read_only",
  // Two transactions waited for each other; the database ended one of them.
  "40P01": "locked",
  "53": "no_answer",
  "53100": "disk_full",
  "55P03": "locked",
  "57014": "no_answer",
  "57P01": "no_answer",
  "57P02": "no_answer",
  "57P03": "no_answer",
  "57P05": "no_answer",
  "58": "no_answer",
};

function unavailable(cause: unknown): unknown {
  if (isDatabaseUnavailable(cause)) return cause;
  const mayHaveRun = !isFinal(cause);
  const code = errorCode(cause) ?? "";
  const reason = isOfServer(cause) ? (reasons[code] ?? reasons[code.slice(0, 2)]) : "no_answer";
  return reason ? new DatabaseUnavailable(reason, messageOf(cause), { cause, mayHaveRun }) : cause;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
