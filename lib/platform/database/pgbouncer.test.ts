import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forPrograms } from "./deadline";
import { migrateToLatest, thisRelease } from "./migrate";
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
    // In production the user's, as operate.md says.
    const name = sql.id(new URL(url).pathname.slice(1));
    await sql`alter database ${name} set statement_timeout = 1000`.execute(direct);
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

  it("leaves it to the server's own limit to end what takes too long, which holds for no migration", async () => {
    const slow = db.transaction().execute((trx) => sql`select pg_sleep(30)`.execute(trx));
    await expect(slow).rejects.toMatchObject({ name: "DatabaseUnavailable", code: "57014" });
    const up = async (trx: Db) => void (await sql`select pg_sleep(1.2)`.execute(trx));
    const migrations = { ...thisRelease.migrations, "9000-slow": { up } };
    const program = openDatabase(bouncer.url, { limits: forPrograms });
    expect(await migrateToLatest(program, { ...thisRelease, migrations })).toBe(1);
    await program.destroy();
  });
});
