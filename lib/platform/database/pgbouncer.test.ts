import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrateToLatest } from "./migrate";
import { openDatabase, type Db } from "./open";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { hasPgBouncer, startPgBouncer } from "@/lib/platform/database/testing/pgbouncer";

const isPostgres = process.env["TEST_ENGINE"] === "postgres";

const installed = isPostgres && hasPgBouncer;

it.skipIf(!isPostgres || installed)(
  "is not tested behind PgBouncer, which is not installed",
  () => {
    // Fails nothing: the test run reports it by this name.
  },
);

describe.runIf(installed)("behind PgBouncer, with fewer connections than are requested", () => {
  let direct: Db;
  let db: Db;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;

  beforeAll(async () => {
    const url = await freshDatabaseUrl();
    bouncer = await startPgBouncer(url);
    direct = openDatabase(url);
    const limits = { acquireMs: 4_000, statementMs: 1_500, lockMs: 0 };
    db = openDatabase(bouncer.url, { limits, poolSize: 20 });
  });
  afterAll(async () => {
    await db.destroy();
    await direct.destroy();
    await bouncer.stop();
  });

  it("makes the tables, with more instances starting at once than there are connections, and leaves no lock behind", async () => {
    const limits = { acquireMs: 4_000, statementMs: 60_000, lockMs: 0 };
    const instances = Array.from({ length: 5 }, () => openDatabase(bouncer.url, { limits }));
    await Promise.all(instances.map((instance) => migrateToLatest(instance)));
    const held = await sql`select pid from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(
      direct,
    );
    expect(held.rows).toEqual([]);
    await Promise.all(instances.map((instance) => instance.destroy()));
  });

  it("prepares no statements, which the next server connection would not know", async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.selectFrom("markers").select("done_at").where("name", "=", `${n}`).execute(),
      ),
    );
    const prepared = await Promise.all(
      Array.from({ length: 6 }, () => sql`select name from pg_prepared_statements`.execute(db)),
    );
    for (const { rows } of prepared) expect(rows).toEqual([]);
  });

  it("has the server end what takes too long within a transaction, and resets its limit afterwards", async () => {
    const slow = db.transaction().execute((trx) => sql`select pg_sleep(30)`.execute(trx));
    await expect(slow).rejects.toMatchObject({ name: "DatabaseUnavailable", code: "57014" });
    const limits = await Promise.all(
      Array.from({ length: 6 }, () =>
        sql<{ statement_timeout: string }>`show statement_timeout`.execute(db),
      ),
    );
    for (const { rows } of limits) expect(rows[0]?.statement_timeout).toBe("0");
  });
});
