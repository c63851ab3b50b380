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
  isOfServer,
  recordAnswer,
  recordSilence,
  unavailable,
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

type OwnPool = { pool: pg.Pool; forProbes: boolean };
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
 * first of them that has not answered for as long as any statement may take has all of the process replaced, of which
 * those in use end with their work. Throws faults that are not the statement's as `DatabaseUnavailable`.
 */
export function boundedPool(
  config: pg.PoolConfig,
  limits: DatabaseLimits,
  { forProbes }: { forProbes: boolean },
): PostgresPool {
  const pool = new pg.Pool({
    ...config,
    connectionTimeoutMillis: limits.acquireMs,
    statement_timeout: limits.statementMs - serverEndsEarlierMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
  });
  const lost = (err: Error) => log.warn({ err }, "a database connection was lost");
  pool.on("error", lost);
  pool.on("connect", (client) => {
    generations.set(client, generation().current);
    // Where nobody awaits an answer, the error still needs a listener, or it ends the process.
    client.on("error", lost);
  });
  const own = { pool, forProbes };
  pools().add(own);
  const givenUp: GivenUp = new Set();
  return {
    // Without the interface's cursors, which nothing here uses.
    connect: async () => {
      const client = await connected(pool, limits);
      return new Leased(client, limits, givenUp) as unknown as PostgresPoolClient;
    },
    end: () => {
      pools().delete(own);
      for (const client of givenUp) close(client);
      givenUp.clear();
      return pool.end();
    },
  };
}

/** Connections whose caller has gone, and whose statement the server may still answer. */
type GivenUp = Set<pg.PoolClient>;

/** Of this process's connections, probes' too. Those of an earlier one lead to a server that does not answer, or no longer serves. */
const generation = () => processWide("database-generation", () => ({ current: 0 }));
const generations = new WeakMap<pg.PoolClient, number>();

function isCurrent(client: pg.PoolClient): boolean {
  return generations.get(client) === generation().current;
}

/** After this one met such a server. */
function renewAll(client: pg.PoolClient): void {
  if (isCurrent(client)) generation().current++;
}

async function connected(pool: pg.Pool, { acquireMs }: DatabaseLimits): Promise<pg.PoolClient> {
  const ms = msLeft(acquireMs);
  const connecting = connect(pool);
  const made = await withTimeout(ms, connecting).catch((cause: unknown) => {
    throw new DatabaseUnavailable("no_answer", messageOf(cause), { cause });
  });
  if (made.inTime) return made.value;
  // It may still come: then it serves other callers.
  connecting.then(giveBack, () => undefined);
  throw new DatabaseUnavailable("no_answer", `no connection within ${ms} ms`);
}

/** The pool gives idle ones first, which may be of an earlier generation. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  for (;;) {
    const client = await pool.connect();
    if (isCurrent(client)) return client;
    close(client);
  }
}

function giveBack(client: pg.PoolClient): void {
  if (isCurrent(client)) client.release();
  else close(client);
}

function close(client: pg.PoolClient): void {
  client.release(true);
  // Whoever waits gets a new one once it is closed, and a server that is gone would never close its end.
  client.connection.stream.destroy();
}

/** A connection in use. Where its state is unknown, it is closed, and the server then rolls back. */
class Leased {
  readonly #client: pg.PoolClient;
  readonly #limits: DatabaseLimits;
  readonly #givenUp: GivenUp;
  #broken: Error | null = null;
  /** The answer that came too late for its caller, if it does. */
  #late: Promise<pg.QueryResult> | null = null;

  constructor(client: pg.PoolClient, limits: DatabaseLimits, givenUp: GivenUp) {
    this.#client = client;
    this.#limits = limits;
    this.#givenUp = givenUp;
  }

  async query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.#broken) throw this.#broken;
    const ms = msLeft(this.#limits.statementMs);
    try {
      if (ms <= 0) throw new DatabaseUnavailable("no_answer", "no time was left to ask it");
      const answering = this.#ask(text, parameters);
      const answer = await withTimeout(ms, answering);
      if (answer.inTime) return answer.value;
      this.#late = answering;
      throw new Error(`no answer within ${ms} ms`);
    } catch (cause) {
      const thrown = unavailable(cause, { mayHaveRun: !isFinal(cause) });
      // A transaction that is not rolled back must end with its connection.
      if (!keepsConnection(cause) || text === "rollback") this.#broken = thrown as Error;
      throw thrown;
    }
  }

  /** Waits for as long as any statement may take: less says nothing about the server. */
  async #ask(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const began = performance.now();
    const { statementMs } = this.#limits;
    try {
      const asked = this.#client.query(text, [...parameters]);
      const answer = await withTimeout(statementMs, asked);
      if (answer.inTime) {
        recordAnswer();
        return answer.value;
      }
      // A caller who has gone did not wait for as long as a request does.
      if (!this.#late) recordSilence(began);
      throw new Error(`no answer within ${statementMs} ms`);
    } catch (cause) {
      if (!keepsConnection(cause)) renewAll(this.#client);
      throw cause;
    }
  }

  release(): void {
    const client = this.#client;
    if (this.#late) void this.#releaseAfter(this.#late);
    else if (this.#broken) close(client);
    else giveBack(client);
  }

  /** It keeps its place in the pool: otherwise a slow server would be asked more at once than it has connections. */
  async #releaseAfter(late: Promise<unknown>): Promise<void> {
    const client = this.#client;
    this.#givenUp.add(client);
    const isUsable = await late.then(() => true, keepsConnection);
    // The pool has not ended meanwhile.
    if (!this.#givenUp.delete(client)) return;
    if (isUsable && client.getTransactionStatus() === "I") giveBack(client);
    else close(client);
  }
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
