import { db, type Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import type { Insertable, Kysely, Selectable, Transaction, Updateable } from "kysely";

/*
 * What a test puts into the process's database, or changes in it, behind Gancho's back.
 */
type Table = keyof Database;

/** Kysely's types do not follow a table that is a parameter. */
const anyTable = (executor: Executor = db()) =>
  executor as unknown as Kysely<{ table: Record<string, unknown> }>;

export const insert = <T extends Table>(table: T, ...rows: Insertable<Database[T]>[]) =>
  insertWith(db(), table, rows);

/** Of another database, or in a transaction. */
export async function insertWith<T extends Table>(
  executor: Executor,
  table: T,
  rows: readonly Insertable<Database[T]>[],
): Promise<void> {
  await anyTable(executor)
    .insertInto(table as "table")
    .values(rows)
    .execute();
}

/** In the rows that have these values. */
export async function update<T extends Table>(
  table: T,
  set: Updateable<Database[T]>,
  where: Partial<Selectable<Database[T]>> = {},
): Promise<void> {
  const query = anyTable().updateTable(table as "table");
  await query
    .set(set)
    .where((eb) => eb.and(where))
    .execute();
}

/** The row that has these values; throws where there is none. */
export async function rowOf<T extends Table>(
  table: T,
  where: Partial<Selectable<Database[T]>>,
): Promise<Selectable<Database[T]>> {
  const query = anyTable()
    .selectFrom(table as "table")
    .selectAll();
  const row = await query.where((eb) => eb.and(where)).executeTakeFirstOrThrow();
  return row as Selectable<Database[T]>;
}

export function inTransaction<Result>(
  work: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db().transaction().execute(work);
}
