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

onPostgres("goes on when another instance changes a table that its statements know", async () => {
  const url = await freshDatabaseUrl();
  const db = openDatabase(url, { poolSize: 1 });
  await sql`create table things (name text, size integer)`.execute(db);
  const insertOne = () => sql`insert into things (name) values (${"one"})`.execute(db);
  const all = () => sql`select * from things where name = ${"one"}`.execute(db);
  await insertOne();
  await all();
  await sql`alter table things add column since integer`.execute(db);
  await sql`alter table things alter column size type bigint`.execute(db);
  expect((await all()).rows).toEqual([{ name: "one", size: null, since: null }]);
  await db.destroy();
});
