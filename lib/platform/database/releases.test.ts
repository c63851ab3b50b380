import { sql, type Transaction } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forPrograms } from "./deadline";
import { isOlder, migrateToLatest, schemaState, thisRelease, type Release } from "./migrate";
import { openDatabase, type Db } from "./open";
import type { Database } from "./schema";
import {
  describeTables,
  recordedTables,
  whatBreaks,
} from "@/lib/platform/database/testing/describe-tables";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";

const isPostgres = process.env["TEST_ENGINE"] === "postgres";

/** A busy machine takes its time. */
const patient = { timeout: 20_000 };

/** A release that came after this one, with one migration more. */
function newer(usableSince?: string, up = async (db: Db) => addColumn(db)): Release {
  const step = { up, ...(usableSince !== undefined && { usableSince }) };
  return {
    version: "99.0.0",
    migrations: { ...thisRelease.migrations, "9000-more": step },
  };
}

const addColumn = (db: Db) =>
  db.schema.alterTable("markers").addColumn("more", "varchar(10)").execute();

const mark = (db: Db | Transaction<Database>, name: string) =>
  db.insertInto("markers").values({ name, done_at: 1 }).execute();

let url: string;
let db: Db;
beforeEach(async () => {
  url = await freshDatabaseUrl();
  db = openDatabase(url, { limits: forPrograms });
});
afterEach(() => db.destroy());

const columns = async () =>
  (await db.introspection.getTables())
    .find(({ name }) => name === "markers")
    ?.columns.map(({ name }) => name);

it("starts and writes on a database that a newer release migrated, where the migration is usable since this release", async () => {
  await migrateToLatest(db);
  await mark(db, "before");
  await migrateToLatest(db, { release: newer(thisRelease.version) });
  expect(await schemaState(db)).toBe("current");
  await migrateToLatest(db);
  await mark(db, "after");
  expect(await columns()).toContain("more");
  // The newer one finds nothing to do.
  expect(await schemaState(db, newer(thisRelease.version))).toBe("current");
  await migrateToLatest(db, { release: newer(thisRelease.version) });
});

it.each([
  ["that is usable since a later release only", "98.0.0", "start 98.0.0 or newer"],
  ["that does not say since when it is usable", undefined, "start the newer release"],
])("refuses a database with a migration %s, and changes nothing", async (_what, since, words) => {
  await migrateToLatest(db, { release: newer(since) });
  expect(await schemaState(db)).toBe("newer");
  const migrating = migrateToLatest(db);
  await expect(migrating).rejects.toThrow(
    `a newer release has changed its tables (9000-more), and release ${thisRelease.version} cannot work with them`,
  );
  await expect(migrating).rejects.toThrow(`${words}, or restore the backup`);
  expect(await schemaState(db, newer(since))).toBe("current");
});

it("checks every migration that it does not know, and not only the last", async () => {
  const two: Release = {
    version: "99.0.0",
    migrations: {
      ...newer("98.0.0").migrations,
      "9001-still-more": { usableSince: thisRelease.version, up: async () => undefined },
    },
  };
  await migrateToLatest(db, { release: two });
  expect(await schemaState(db)).toBe("newer");
  expect(await schemaState(db, { ...thisRelease, version: "98.0.0" })).toBe("current");
});

it("is older than its tables need it to be before it has migrated", async () => {
  expect(await schemaState(db)).toBe("older");
  await migrateToLatest(db);
  expect(await schemaState(db, newer("0.1.0"))).toBe("older");
});

it("states for every migration since 0040 the releases that can work with it", () => {
  const silent = Object.entries(thisRelease.migrations).filter(
    ([name, step]) => name >= "0040" && !/^\d+\.\d+\.\d+$/.test(step.usableSince ?? ""),
  );
  expect(silent.map(([name]) => name)).toEqual([]);
});

it("orders versions by their numbers", () => {
  expect(isOlder("0.9.0", "0.10.0")).toBe(true);
  expect(isOlder("0.10.0", "0.9.9")).toBe(false);
  expect(isOlder("1.0.0", "1.0.0")).toBe(false);
  expect(isOlder("9.9.9", "10.0.0")).toBe(true);
});

it("leaves everything as it was where a migration fails", async () => {
  await migrateToLatest(db);
  const uses = () => db.selectFrom("migration_uses").selectAll().orderBy("migration").execute();
  const before = await uses();
  const failing = newer(thisRelease.version, async (trx) => {
    await addColumn(trx);
    throw new Error("half way");
  });
  await expect(migrateToLatest(db, { release: failing })).rejects.toThrow("half way");
  expect(await columns()).not.toContain("more");
  expect(await uses()).toEqual(before);
});

describe("the tables that a release relies on", () => {
  const describedAfter = async (change: () => Promise<unknown>) => {
    await change();
    return describeTables(db, url);
  };
  const add = (column: string) => () =>
    sql`alter table users add column ${sql.raw(column)}`.execute(db);

  it("are still there and refuse nothing new, for every recorded release that may work with them", async () => {
    await migrateToLatest(db);
    const now = await describeTables(db, url);
    const excluded = Object.values(thisRelease.migrations).flatMap(
      (step) => step.usableSince ?? [],
    );
    for (const { version, lines } of recordedTables(url)) {
      if (excluded.some((since) => isOlder(version, since))) continue;
      expect(
        whatBreaks(lines, now),
        `what ${version} relies on: change it in two releases, or say in usableSince that ${version} cannot work with it`,
      ).toEqual([]);
    }
  });

  it("may get columns that need no value, tables and indexes", async () => {
    await migrateToLatest(db);
    const before = await describeTables(db, url);
    for (const change of [
      add("more varchar(10)"),
      add("much_more integer not null default 0"),
      () =>
        sql`create table additions (id varchar(10) primary key, n integer not null)`.execute(db),
      () => sql`create index users_by_more on users (more)`.execute(db),
    ])
      expect(whatBreaks(before, await describedAfter(change))).toEqual([]);
  });

  it("may not lose or rename a column or a table, or get a rule that older code does not know", async () => {
    await migrateToLatest(db);
    let before = await describeTables(db, url);
    for (const [change, found] of [
      [
        sql`alter table markers rename column done_at to ended_at`,
        /^gone: markers\.done_at: bigint/,
      ],
      [sql`alter table memberships drop column role`, /^gone: memberships\.role: /],
      [sql`drop table leases`, /^gone: leases/],
      [sql`create unique index one_name on partners (name)`, /^added: partners: unique/],
      [
        sql`create unique index one_open on saves (connection_id) where reason is null`,
        /^added: saves: unique .* where /i,
      ],
    ] as const) {
      const after = await describedAfter(() => change.execute(db));
      expect(whatBreaks(before, after)).toContainEqual(expect.stringMatching(found));
      before = after;
    }
  });
});

describe.runIf(isPostgres)("while others work with the tables", () => {
  let other: Db;
  beforeEach(() => {
    other = openDatabase(url);
  });
  afterEach(() => other.destroy());

  /** A transaction that has read the table and does not end. */
  async function reading(): Promise<() => Promise<void>> {
    let end: () => void = () => undefined;
    let begun: () => void = () => undefined;
    const isReading = new Promise<void>((resolve) => (begun = resolve));
    const over = other.transaction().execute(async (trx) => {
      await trx.selectFrom("markers").selectAll().execute();
      begun();
      await new Promise<void>((resolve) => (end = resolve));
    });
    await isReading;
    return async () => {
      end();
      await over;
    };
  }

  /** How many wait for a lock on a table. */
  async function waiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`.execute(
      other,
    );
    return rows[0]?.count ?? 0;
  }

  it("gives up a lock that it does not get, so that those behind it go on, and changes nothing (threat: a migration that stops every instance)", async () => {
    await migrateToLatest(db);
    const end = await reading();
    const release = newer(thisRelease.version);
    const migrating = migrateToLatest(db, { release, lockMs: 100, patienceMs: 1_500 });
    const refused = expect(migrating).rejects.toMatchObject({
      name: "DatabaseUnavailable",
      reason: "locked",
      code: "55P03",
    });
    // Each of them would wait behind the migration.
    for (let n = 0; n < 10; n++) await mark(other, `beside ${n}`);
    await refused;
    expect(await columns()).not.toContain("more");
    await end();
  });

  it("tries again, and goes on as soon as the other transaction is over", async () => {
    await migrateToLatest(db);
    const end = await reading();
    const release = newer(thisRelease.version);
    const migrating = migrateToLatest(db, { release, lockMs: 1_000 });
    // Its request for the lock was refused.
    for (const count of [1, 0])
      await vi.waitFor(async () => expect(await waiting()).toBe(count), patient);
    await end();
    await migrating;
    expect(await columns()).toContain("more");
  });

  it("sets separate limits for a lock and for a statement, and resets them afterwards", async () => {
    const seen: string[] = [];
    const show = async (executor: Db) => {
      for (const name of ["lock_timeout", "statement_timeout"]) {
        const { rows } = await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(executor);
        seen.push(rows[0]?.[name] ?? "");
      }
    };
    await migrateToLatest(db, { release: newer(undefined, show) });
    expect(seen).toEqual(["3s", "599s"]);
    seen.length = 0;
    await show(db);
    expect(seen).toEqual(["0", "599500ms"]);
  });
});
