import "server-only";
import { ensurePrivateFile } from "@/lib/platform/runtime/folders";
import {
  SqliteAdapter,
  SqliteDialect,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from "kysely";
import Libsql from "libsql";
import { setTimeout as after } from "node:timers/promises";
import { msLeft, type DatabaseLimits } from "./deadline";
import { isWrite } from "./tracked";
import { DatabaseUnavailable, reasonOf, recordSilence, unavailable } from "./unavailable";

/**
 * SQLite can undo DDL; Kysely leaves that off for pragmas that our migrations do not use. A migration runs whole or not
 * at all.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** `synchronous=FULL`: an acknowledged history row survives `kill -9` and a power cut. */
export function sqliteDialect(url: string, limits: DatabaseLimits): SqliteDialect {
  return new EmbeddedDialect(url.replace(/^file:/, ""), limits);
}

class EmbeddedDialect extends SqliteDialect {
  readonly #driver: () => Driver;
  constructor(file: string, limits: DatabaseLimits) {
    super({ database: () => Promise.reject(new Error("opened by the driver below")) });
    this.#driver = () => new EmbeddedDriver(file, limits);
  }
  override createAdapter(): TransactionalAdapter {
    return new TransactionalAdapter();
  }
  override createDriver(): Driver {
    return this.#driver();
  }
}

/**
 * One connection, with one user at a time. SQLite itself would block the process while it waits for another process's
 * lock, so it is set not to wait, and the connection goes to others between two attempts.
 */
class EmbeddedDriver implements Driver {
  readonly #file: string;
  readonly #limits: DatabaseLimits;
  readonly #mutex = new ConnectionMutex();
  readonly #statements = new Statements();
  #database: Libsql.Database | null = null;

  constructor(file: string, limits: DatabaseLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  async init(): Promise<void> {
    // The write-ahead log and shared-memory files take the mode of this one.
    ensurePrivateFile(this.#file);
    const database = new Libsql(this.#file, { timeout: 0 });
    try {
      await untilUnlocked(this.#limits.lockMs, () => {
        // Opening a new file changes its format, which needs exclusive access.
        database.pragma("journal_mode = WAL");
      });
      database.pragma("synchronous = FULL");
      database.pragma("foreign_keys = ON");
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
  }

  async acquireConnection(): Promise<EmbeddedConnection> {
    const database = this.#opened();
    if (!this.#mutex.tryLock()) await this.#mutex.lock(this.#limits.acquireMs);
    return new EmbeddedConnection(database, this.#statements, this.#mutex, this.#limits);
  }

  beginTransaction(connection: EmbeddedConnection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: EmbeddedConnection): Promise<void> {
    return connection.commit();
  }

  async rollbackTransaction(connection: EmbeddedConnection): Promise<void> {
    connection.rollBack();
  }

  async releaseConnection(connection: EmbeddedConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    this.#statements.clear();
    this.#database?.close();
    this.#database = null;
  }

  #opened(): Libsql.Database {
    if (!this.#database) throw new Error("the database is closed");
    return this.#database;
  }
}

/** The connection while it is in use. */
class EmbeddedConnection implements DatabaseConnection {
  readonly #database: Libsql.Database;
  readonly #statements: Statements;
  readonly #mutex: ConnectionMutex;
  readonly #limits: DatabaseLimits;
  /** The caller of the constructor has locked it. */
  #isMine = true;
  #inTransaction = false;

  constructor(
    database: Libsql.Database,
    statements: Statements,
    mutex: ConnectionMutex,
    limits: DatabaseLimits,
  ) {
    this.#database = database;
    this.#statements = statements;
    this.#mutex = mutex;
    this.#limits = limits;
  }

  release(): void {
    if (this.#isMine) this.#mutex.unlock();
    this.#isMine = false;
  }

  /** Takes the write lock at once: upgrading later fails when another process wrote meanwhile. */
  async begin(): Promise<void> {
    const waits = this.#waiting(() => void this.#database.exec("begin immediate"));
    if (waits) await waits;
    this.#inTransaction = true;
  }

  async commit(): Promise<void> {
    const began = performance.now();
    try {
      this.#database.exec("commit");
    } catch (error) {
      // A disk that fails during a write leaves its content undefined.
      throw unavailable(error, { mayHaveRun: reasonOf(error) === "no_answer" });
    } finally {
      // The disk kept this process waiting, and whoever waited for the connection.
      if (performance.now() - began >= this.#limits.statementMs) recordSilence(began);
    }
    this.#inTransaction = false;
  }

  /** Some failures have rolled it back already. */
  rollBack(): void {
    this.#inTransaction = false;
    if (this.#database.inTransaction) this.#database.exec("rollback");
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const run = () => this.#run<Row>(query.sql, query.parameters);
    if (this.#inTransaction) return attempt(run);
    if (!isWrite(query)) return this.#waiting(run);
    // A statement that meets a lock stays half done in libsql and would spoil a later commit: only "begin" may meet
    // one.
    await this.begin();
    try {
      const result = attempt(run);
      await this.commit();
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error("the embedded database does not stream");
  }

  #run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const prepared = this.#statements.take(sql) ?? preparedOf(this.#database.prepare(sql));
    const result = resultOf<Row>(prepared, parameters);
    // A failed one may be half done, and is not used again.
    this.#statements.keep(sql, prepared);
    return result;
  }

  /** Retries while another process has the lock; others may use the connection meanwhile. */
  #waiting<Result>(work: () => Result): Promise<Result> | Result {
    return untilUnlocked(this.#limits.lockMs, work, async (pauseMs) => {
      this.release();
      await after(pauseMs);
      await this.#mutex.lock(this.#limits.lockMs);
      this.#isMine = true;
    });
  }
}

/** `reads`: whether it returns rows. */
type Prepared = { statement: Libsql.Statement; reads: boolean };

const preparedOf = (statement: Libsql.Statement): Prepared => ({
  statement,
  reads: statement.reader,
});

function resultOf<Row>(
  { statement, reads }: Prepared,
  parameters: readonly unknown[],
): QueryResult<Row> {
  if (reads) return { rows: statement.all(parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}

/** Prepared statements, evicted least recently used first. SQLite prepares them again when the schema has changed. */
class Statements {
  readonly #kept = new Map<string, Prepared>();

  take(sql: string): Prepared | undefined {
    const statement = this.#kept.get(sql);
    this.#kept.delete(sql);
    return statement;
  }

  keep(sql: string, statement: Prepared): void {
    this.#kept.set(sql, statement);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxStatements && oldest !== undefined) this.#kept.delete(oldest);
  }

  clear(): void {
    this.#kept.clear();
  }
}

/** More than the statements of all request paths; texts that lists of parameters make longer come and go. */
const maxStatements = 300;

/** First come, first served. */
class ConnectionMutex {
  readonly #waiting: (() => void)[] = [];
  #locked = false;

  /** Locks it where it is free, without waiting for a promise. */
  tryLock(): boolean {
    const isFree = !this.#locked;
    this.#locked = true;
    return isFree;
  }

  /** Throws where it does not get it within `most` milliseconds. */
  async lock(most: number): Promise<void> {
    if (this.tryLock()) return;
    const ms = msLeft(most);
    if (ms > 0 && (await this.#wait(ms))) return;
    throw new DatabaseUnavailable(
      "no_answer",
      `others used the database for longer than ${most} ms`,
    );
  }

  #wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const mine = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(mine), 1);
        resolve(false);
      }, ms);
      this.#waiting.push(mine);
    });
  }

  unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#locked = false;
  }
}

const maxPauseMs = 50;

/** At once where there is no lock, which is the usual case. */
function untilUnlocked<Result>(
  ms: number,
  work: () => Result,
  pause: (ms: number) => Promise<unknown> = after,
): Promise<Result> | Result {
  try {
    return work();
  } catch (error) {
    if (reasonOf(error) !== "locked") throw unavailable(error);
    return retryUntilUnlocked(ms, work, pause, error);
  }
}

async function retryUntilUnlocked<Result>(
  ms: number,
  work: () => Result,
  pause: (ms: number) => Promise<unknown>,
  first: unknown,
): Promise<Result> {
  const giveUpAt = performance.now() + msLeft(ms);
  let locked = first;
  for (let pauseMs = 2; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    if (performance.now() + pauseMs > giveUpAt) throw unavailable(locked);
    await pause(pauseMs);
    try {
      return work();
    } catch (error) {
      if (reasonOf(error) !== "locked") throw unavailable(error);
      locked = error;
    }
  }
}

function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw unavailable(error);
  }
}
