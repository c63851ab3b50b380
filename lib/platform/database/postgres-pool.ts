import "server-only";
import { errorCode } from "@/lib/platform/runtime/network-error";
import { log } from "@/lib/platform/log/log";
import { processWide } from "@/lib/platform/runtime/process-wide";
import {
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from "kysely";
import { Socket } from "node:net";
import pg from "pg";
import { msLeft, type DatabaseLimits } from "./deadline";
import {
  DatabaseUnavailable,
  isDatabaseUnavailable,
  isEffect,
  recordWrite,
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

const pools = () => processWide("database-pools", () => new Set<pg.Pool>());

/** How this process's connections to PostgreSQL are used now. */
export function poolUse(): { busy: number; idle: number; waiting: number; most: number } {
  const use = { busy: 0, idle: 0, waiting: 0, most: 0 };
  for (const pool of pools()) {
    use.idle += pool.idleCount;
    use.busy += pool.totalCount - pool.idleCount;
    use.waiting += pool.waitingCount;
    use.most += pool.options.max;
  }
  return use;
}

/** The server ends a statement a little before we stop waiting: its error costs no connection. */
const serverEndsEarlierMs = 500;

/** How long a client waits for its connection to close. */
const closeTimeoutMs = 1_000;

/** The system then sends ten probes, one a second: a dead idle connection is closed after 20 seconds. */
const keepAliveDelayMs = 10_000;

/**
 * A pool in which no wait is endless, and which drops a silent connection for good. A server that fails over silently
 * leaves connections that swallow everything: the first of them to miss its deadline takes with it those that have been
 * idle since before then. Throws faults that are not the statement's as `DatabaseUnavailable`.
 */
export function boundedPool(config: pg.PoolConfig, limits: DatabaseLimits): PostgresPool {
  let socket = new Socket();
  const pool = new pg.Pool({
    ...config,
    connectionTimeoutMillis: limits.acquireMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    verify: (client, done) => {
      own(client)
        .detectPooler(limits.statementMs - serverEndsEarlierMs)
        .then(() => done(), done);
    },
    // Each client calls it once, while it is made.
    stream: () => (socket = new Socket()),
    Client: class extends OwnClient {
      constructor(options?: string | pg.ClientConfig) {
        super(options);
        this.socket = socket;
      }
    },
  });
  const idleClients = new Set<OwnClient>();
  const lost = (err: Error) => log.warn({ err }, "a database connection was lost");
  pool.on("error", lost);
  // Where nobody awaits an answer, the error still needs a listener, or it ends the process.
  pool.on("connect", (client) => client.on("error", lost));
  pool.on("acquire", (client) => idleClients.delete(own(client)));
  pool.on("release", (_err, client) => idleClients.add(own(client)));
  pool.on("remove", (client) => idleClients.delete(own(client)));

  function discardOlderThan(moment: number): void {
    for (const client of idleClients) {
      if (client.answeredAt > moment) continue;
      idleClients.delete(client);
      client.socket.destroy();
    }
  }

  const take = () => pool.connect() as Promise<pg.PoolClient & OwnClient>;

  async function connect(): Promise<PostgresPoolClient> {
    const began = performance.now();
    let client = await inTime(take());
    // A discarded client stays in the pool until its socket has closed.
    while (client.socket.destroyed) {
      client.release(true);
      client = await inTime(take());
    }
    // A new connection has just answered.
    if (client.answeredAt === 0) client.answeredAt = began;
    // Without the interface's cursors, which nothing here uses.
    return new LeasedClient(client, limits, discardOlderThan) as unknown as PostgresPoolClient;
  }

  async function inTime(connecting: Promise<pg.PoolClient & OwnClient>) {
    const ms = msLeft(limits.acquireMs);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no connection within ${ms} ms`)), Math.max(ms, 0));
    });
    try {
      return await Promise.race([connecting, late]);
    } catch (cause) {
      // It may still come: then it serves other callers.
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw new DatabaseUnavailable("no_answer", messageOf(cause), { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  pools().add(pool);
  return {
    connect,
    end: () => {
      pools().delete(pool);
      return pool.end();
    },
  };
}

/** A client with access to its socket: closing that is the only way to stop waiting for a silent server. */
class OwnClient extends pg.Client {
  socket: Socket = new Socket();
  /** On the clock of `performance`; 0 before the first answer. */
  answeredAt = 0;
  /** The server's process, as named when the connection was opened. */
  declare readonly processID: number | null;
  /** Whether the server's process is this client's alone. */
  isDirect = false;

  /**
   * Detects a pooler in between: it names no server process, or one of its own. A pooler may send the next statement to
   * another server process, which knows neither a time limit nor a statement that this one was given.
   */
  async detectPooler(statementMs: number): Promise<void> {
    const { rows } = await this.query<{ direct: boolean }>(
      `select pg_backend_pid() = ${this.processID ?? 0} as direct,
        case when pg_backend_pid() = ${this.processID ?? 0}
          then set_config('statement_timeout', '${statementMs}', false) end`,
    );
    this.isDirect = rows[0]?.direct ?? false;
  }

  /** Sends a statement; one that comes again and again is parsed and planned once for each connection. */
  send(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const name = this.isDirect ? nameOf(text, values) : undefined;
    return this.query({
      text,
      ...(name !== undefined && { name }),
      ...(values.length > 0 && { values: [...values] }),
    });
  }

  override end(): Promise<void>;
  override end(callback: (err: Error) => void): void;
  override end(callback?: (err: Error) => void): Promise<void> | void {
    setTimeout(() => this.socket.destroy(), closeTimeoutMs).unref();
    return callback ? super.end(callback) : super.end();
  }
}

/** Plans take memory in each server process: these are enough for what comes often. */
const maxPrepared = 300;
const names = () => processWide("database-statements", () => new Map<string, string>());

/**
 * The name under which a statement is prepared, the same on all connections. undefined: lists of values make many
 * different statements; and one of all columns fails when a newer version of Gancho adds one.
 */
function nameOf(text: string, { length }: readonly unknown[]): string | undefined {
  const known = names().get(text);
  if (known !== undefined || names().size >= maxPrepared) return known;
  if (length === 0 || length > 40 || /(?:select |returning |\.)\*/.test(text)) return undefined;
  const name = `s${names().size + 1}`;
  names().set(text, name);
  return name;
}

function own(client: pg.PoolClient): OwnClient {
  return client as unknown as OwnClient;
}

/** A connection in use. One that failed silently is closed, and not reused. */
class LeasedClient {
  readonly #client: pg.PoolClient & OwnClient;
  readonly #limits: DatabaseLimits;
  readonly #discardOlderThan: (moment: number) => void;
  #broken: Error | null = null;
  #inTransaction = false;
  #wrote = false;

  constructor(
    client: pg.PoolClient & OwnClient,
    limits: DatabaseLimits,
    discardOlderThan: (moment: number) => void,
  ) {
    this.#client = client;
    this.#limits = limits;
    this.#discardOlderThan = discardOlderThan;
  }

  async query(sql: string, parameters: ReadonlyArray<unknown> = []) {
    if (/^(?:begin|start transaction)/.test(sql)) {
      const result = await this.#ask(
        this.#client.isDirect ? sql : `${sql}; ${this.#ownTimeout()}`,
        [],
      );
      this.#inTransaction = true;
      this.#wrote = false;
      return result;
    }
    if (sql === "rollback") return this.#rollBack();
    if (sql === "commit") return this.#commit();
    const isOne = isEffect(sql);
    if (this.#inTransaction) {
      this.#wrote ||= isOne;
      return this.#ask(sql, parameters);
    }
    return isOne ? recordingWrite(this.#ask(sql, parameters)) : this.#ask(sql, parameters);
  }

  release(): void {
    // Its state is unknown.
    if (this.#inTransaction) this.#broken ??= new Error("given back within a transaction");
    this.#client.release(this.#broken ?? undefined);
  }

  /** Never fails: it closes a connection that cannot roll back, and the server then does so. */
  async #rollBack() {
    if (!this.#broken)
      await this.#ask("rollback", []).catch((err: Error) => (this.#broken ??= err));
    this.#inTransaction = false;
    return nothing;
  }

  async #commit() {
    this.#inTransaction = false;
    const committing = this.#ask("commit", []);
    return this.#wrote ? recordingWrite(committing) : committing;
  }

  #ownTimeout(): string {
    return `set local statement_timeout = ${this.#limits.statementMs - serverEndsEarlierMs}`;
  }

  async #ask(sql: string, parameters: ReadonlyArray<unknown>) {
    if (this.#broken) throw unavailable(this.#broken);
    const ms = msLeft(this.#limits.statementMs);
    if (ms <= 0) throw new NotSent("no_answer", "no time was left to ask the database");
    const began = performance.now();
    const answer = this.#client.send(sql, parameters);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const giveUp = () => reject(new Error(`no answer within ${ms} ms`));
      // If this process itself was paused, the answer may have arrived unread.
      timer = setTimeout(() => (timer = setTimeout(giveUp, 1)), ms);
    });
    try {
      const result = await Promise.race([answer, late]);
      this.#client.answeredAt = performance.now();
      return result;
    } catch (err) {
      const thrown = unavailable(err);
      if (isDatabaseUnavailable(thrown) && !keepsConnection(err)) {
        this.#broken = thrown;
        this.#client.socket.destroy();
        this.#discardOlderThan(began);
      }
      throw thrown;
    } finally {
      clearTimeout(timer);
      // Promise.race has reported the first failure.
      answer.catch(() => undefined);
    }
  }
}

const nothing = { command: "SELECT", rowCount: 0, rows: [] } as const;

/** It failed before anything was sent. */
class NotSent extends DatabaseUnavailable {}

/** An error of the server itself is final; after any other the outcome is unknown. */
async function recordingWrite<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    const result = await answer;
    recordWrite();
    return result;
  } catch (err) {
    if (!(err instanceof NotSent) && !isFinal(err instanceof Error ? (err.cause ?? err) : err))
      recordWrite();
    throw err;
  }
}

/** Severity ERROR: the statement is undone, and the connection stays usable. FATAL may come after a commit. */
function isFinal(err: unknown): boolean {
  return err instanceof Error && "severity" in err && err.severity === "ERROR";
}

function keepsConnection(err: unknown): boolean {
  return isFinal(err) && !curedByReconnecting.has(errorCode(err) ?? "");
}

/**
 * A new connection may help. Where the server refuses writes, it was demoted, and the new one may lead to the server
 * that took over. Where the type of a column changed after a statement was prepared, the new one knows the new type.
 */
const curedByReconnecting: ReadonlySet<string> = new Set(["25006", "0A000"]);

/** By SQLSTATE, or its class: errors that have nothing to do with the statement. */
const reasons: Partial<Record<string, Reason>> = {
  "08": "no_answer",
  "0A000": "no_answer",
  "25006": "read_only",
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
  // Not from the server: the connection failed.
  if (!(cause instanceof Error && "severity" in cause))
    return new DatabaseUnavailable("no_answer", messageOf(cause), { cause });
  const code = errorCode(cause) ?? "";
  const reason = reasons[code] ?? reasons[code.slice(0, 2)];
  return reason ? new DatabaseUnavailable(reason, cause.message, { cause }) : cause;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
