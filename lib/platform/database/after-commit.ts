import "server-only";
import { log } from "@/lib/platform/log/log";
import { processWide } from "@/lib/platform/runtime/process-wide";
import type { DatabaseConnection, Dialect, Driver, Transaction, TransactionSettings } from "kysely";
import type { Database } from "./tables";

type Task = () => Promise<void>;
type Waiting = { tasks: Task[]; committed: boolean };

/** The callbacks that wait for the commit of each connection's transaction. */
const waiting = () => processWide("after-commit", () => new WeakMap<DatabaseConnection, Waiting>());

/**
 * Runs `task` once the transaction is committed and its connection released, and never if it is rolled back. The
 * transaction's promise waits for it. A task that fails cannot undo the commit: it is logged.
 */
export async function afterCommit(trx: Transaction<Database>, task: Task): Promise<void> {
  await trx.getExecutor().provideConnection(async (connection) => {
    const found = waiting().get(connection);
    if (!found) throw new Error("not in a transaction of openDatabase");
    found.tasks.push(task);
  });
}

/** A dialect whose transactions keep the promise of `afterCommit`. */
export function withAfterCommit(dialect: Dialect): Dialect {
  return {
    createDriver: () => new AfterCommitDriver(dialect.createDriver()),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

/** No savepoints: rolling back to one would have to undo callbacks. */
class AfterCommitDriver implements Driver {
  readonly #inner: Driver;
  constructor(inner: Driver) {
    this.#inner = inner;
  }
  init(): Promise<void> {
    return this.#inner.init();
  }
  acquireConnection(): Promise<DatabaseConnection> {
    return this.#inner.acquireConnection();
  }
  async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await this.#inner.beginTransaction(connection, settings);
    waiting().set(connection, { tasks: [], committed: false });
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#inner.commitTransaction(connection);
    const found = waiting().get(connection);
    if (found) found.committed = true;
  }
  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    waiting().delete(connection);
    return this.#inner.rollbackTransaction(connection);
  }
  /** Others may have the connection while the tasks run: on SQLite it is the only one. */
  releaseConnection(connection: DatabaseConnection): Promise<void> {
    const found = waiting().get(connection);
    waiting().delete(connection);
    const released = this.#inner.releaseConnection(connection);
    return found?.committed ? released.then(() => runAll(found.tasks)) : released;
  }
  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

async function runAll(tasks: readonly Task[]): Promise<void> {
  await Promise.all(tasks.map(run));
}

async function run(task: Task): Promise<void> {
  try {
    await task();
  } catch (err) {
    log.error({ err }, "a task after a commit failed");
  }
}
