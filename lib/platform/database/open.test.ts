import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { openDatabase, type Db } from "./open";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";

const onPostgres = it.runIf(process.env["TEST_ENGINE"] === "postgres");

/** Closes all other connections to the database, as a restart does. */
async function cutOthers(db: Db): Promise<void> {
  const others = sql`from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await sql`select pg_terminate_backend(pid) ${others}`.execute(db);
  await expect.poll(async () => (await sql`select pid ${others}`.execute(db)).rows).toEqual([]);
}

onPostgres(
  "survives the loss of connections, idle or in a transaction, which then fails",
  async () => {
    const url = await freshDatabaseUrl();
    const [db, other] = [openDatabase(url), openDatabase(url)];
    const works = () => vi.waitFor(() => sql`select 1`.execute(db), { timeout: 20_000 });
    await works();
    await cutOthers(other);
    await works();
    const transaction = db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      await cutOthers(other);
      await sql`select 1`.execute(trx);
    });
    await expect(transaction).rejects.toThrow();
    await works();
    await Promise.all([db.destroy(), other.destroy()]);
  },
);

onPostgres("prepares a repeated statement once for each connection", async () => {
  const url = await freshDatabaseUrl();
  const db = openDatabase(url, { poolSize: 1 });
  await sql`create table things (name text)`.execute(db);
  for (const name of ["one", "two", "two"]) {
    await sql`insert into things (name) values (${name})`.execute(db);
    await sql`select * from things where name = ${name}`.execute(db);
  }
  const prepared = await sql<{ statement: string }>`
    select statement from pg_prepared_statements`.execute(db);
  expect(prepared.rows).toEqual([{ statement: "insert into things (name) values ($1)" }]);
  // A newer version of Gancho, which is being started beside this one, adds a column.
  await sql`alter table things add column size integer`.execute(db);
  await sql`insert into things (name) values (${"three"})`.execute(db);
  const { rows } = await sql`select * from things where name = ${"three"}`.execute(db);
  expect(rows).toEqual([{ name: "three", size: null }]);

  // It changes the type of one: where the statement fails, its connection is replaced.
  const sizes = () => sql`select size from things where name = ${"three"}`.execute(db);
  await sizes();
  await sql`alter table things alter column size type bigint`.execute(db);
  await expect(sizes()).rejects.toMatchObject({ name: "DatabaseUnavailable" });
  expect((await sizes()).rows).toEqual([{ size: null }]);
  await db.destroy();
});
