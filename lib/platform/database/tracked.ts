import "server-only";
import { log } from "@/lib/platform/log/log";
import {
  DeleteQueryNode,
  InsertQueryNode,
  RawNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type Transaction,
  type TransactionSettings,
} from "kysely";
import type { Database } from "./tables";
import { isDatabaseUnavailable, recordWrite } from "./unavailable";

type Task = () => Promise<void>;

/**
 * A dialect whose connections know what their transactions have done, on both engines alike: whether anything may have
 * been written, for `watchingWrites`, and what waits for the commit.
 */
export function tracked(dialect: Dialect): Dialect {
  return {
    createDriver: () => new TrackedDriver(dialect.createDriver()),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

/**
 * Runs `task` once the transaction is committed and its connection released, and never if it is rolled back. The
 * transaction's promise waits for it. A task that fails cannot undo the commit: it is logged.
 */
export async function afterCommit(trx: Transaction<Database>, task: Task): Promise<void> {
  await trx.getExecutor().provideConnection(async (connection) => {
    const { transaction } = connection as TrackedConnection;
    if (!transaction) throw new Error("not in a transaction of openDatabase");
    transaction.tasks.push(task);
  });
}

/** No savepoints: rolling back to one would have to undo tasks. */
class TrackedDriver implements Driver {
  readonly #inner: Driver;
  constructor(inner: Driver) {
    this.#inner = inner;
  }
  init(): Promise<void> {
    return this.#inner.init();
  }
  async acquireConnection(): Promise<TrackedConnection> {
    return new TrackedConnection(await this.#inner.acquireConnection());
  }
  async beginTransaction(
    connection: TrackedConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await this.#inner.beginTransaction(connection.inner, settings);
    connection.transaction = { tasks: [], wrote: false, committed: false };
  }
  async commitTransaction(connection: TrackedConnection): Promise<void> {
    const committing = this.#inner.commitTransaction(connection.inner);
    const { transaction } = connection;
    await (transaction?.wrote ? recordingWrite(committing) : committing);
    if (transaction) transaction.committed = true;
  }
  /** Where it fails, its connection is of no further use, and the error that led here is what its caller must see. */
  async rollbackTransaction(connection: TrackedConnection): Promise<void> {
    await this.#inner
      .rollbackTransaction(connection.inner)
      .catch((err: unknown) => log.warn({ err }, "a transaction was not rolled back in order"));
  }
  /** Others may have the connection while the tasks run: on SQLite it is the only one. */
  async releaseConnection({ inner, transaction }: TrackedConnection): Promise<void> {
    await this.#inner.releaseConnection(inner);
    if (transaction?.committed) await Promise.all(transaction.tasks.map(run));
  }
  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

class TrackedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  transaction: { tasks: Task[]; wrote: boolean; committed: boolean } | null = null;

  constructor(inner: DatabaseConnection) {
    this.inner = inner;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = this.inner.executeQuery<Row>(query);
    if (!isEffect(query)) return answer;
    if (!this.transaction) return recordingWrite(answer);
    this.transaction.wrote = true;
    return answer;
  }

  streamQuery(): never {
    throw new Error("nothing here streams");
  }
}

async function recordingWrite<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    const result = await answer;
    recordWrite();
    return result;
  } catch (err) {
    if (isDatabaseUnavailable(err) && err.mayHaveRun) recordWrite();
    throw err;
  }
}

async function run(task: Task): Promise<void> {
  try {
    await task();
  } catch (err) {
    log.error({ err }, "a task after a commit failed");
  }
}

/** Whether a statement changes anything. One that is written as text does, unless it begins like a reading one. */
export function isWrite({ query, sql }: CompiledQuery): boolean {
  if (RawNode.is(query)) return !/^\s*(?:select|show|pragma)\b/i.test(sql);
  return !SelectQueryNode.is(query);
}

/** Leases and counters are temporary, and change nothing that anybody requested. */
const bookkeeping: ReadonlySet<string> = new Set<keyof Database>(["leases", "rate_limits"]);

/** Whether it changes anything that somebody may have requested. */
function isEffect(compiled: CompiledQuery): boolean {
  return isWrite(compiled) && !bookkeeping.has(tableOf(compiled) ?? "");
}

function tableOf({ query }: CompiledQuery): string | undefined {
  const table = InsertQueryNode.is(query)
    ? query.into
    : UpdateQueryNode.is(query)
      ? query.table
      : DeleteQueryNode.is(query)
        ? query.from.froms[0]
        : undefined;
  return table && TableNode.is(table) ? table.table.identifier.name : undefined;
}
