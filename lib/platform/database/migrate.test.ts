import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrateToLatest, schemaState, thisRelease, type Release } from "./migrate";
import { openDatabase, type Db } from "./open";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";

/** Until the end of the test. */
function opened(url: string): Db {
  const db = openDatabase(url);
  onTestFinished(() => db.destroy());
  return db;
}

async function migrated(): Promise<Db> {
  const db = opened(await freshDatabaseUrl());
  await migrateToLatest(db);
  return db;
}

const row = {
  partner_id: "aurora",
  seq: 1,
  id: "h1",
  environment: null,
  at: 1,
  kind: "save",
  types: "pix_in",
  actor_id: null,
  client_address: null,
  request_id: null,
  outcome: "saved",
  subject_id: null,
  detail_json: "{}",
  mac: "00",
};

it("creates every table once, also when run again", async () => {
  const db = await migrated();
  await migrateToLatest(db);
  expect(await db.selectFrom("partners").selectAll().execute()).toEqual([]);
});

it("lets several instances start at once", async () => {
  const url = await freshDatabaseUrl();
  const instances = [opened(url), opened(url), opened(url)];
  await Promise.all(instances.map((db) => migrateToLatest(db)));
  for (const db of instances)
    expect(await db.selectFrom("partners").selectAll().execute()).toEqual([]);
});

it("refuses to edit or delete a history row (threat: rewriting the past)", async () => {
  const db = await migrated();
  await db.insertInto("partners").values({ id: "aurora", name: "A", created_at: 1 }).execute();
  await db.insertInto("history").values(row).execute();
  for (const edit of [{ kind: "x" }, { client_address: "x" }, { client_address: null, at: 2 }])
    await expect(db.updateTable("history").set(edit).execute()).rejects.toThrow("append-only");
  await expect(db.deleteFrom("history").execute()).rejects.toThrow("append-only");
  const edited = { ...row, kind: "x" };
  await expect(
    db
      .insertInto("history")
      .values(edited)
      .onConflict((conflict) => conflict.column("id").doUpdateSet(edited))
      .execute(),
  ).rejects.toThrow("append-only");
  await expect(db.replaceInto("history").values(edited).execute()).rejects.toThrow();
  expect(await db.selectFrom("history").selectAll().execute()).toEqual([row]);
});

const isPostgres = process.env["TEST_ENGINE"] === "postgres";

it.runIf(isPostgres)(
  "revokes the right to edit history from the role it runs as, where that is no superuser",
  async () => {
    const url = new URL(await freshDatabaseUrl());
    const name = url.pathname.slice(1);
    const owner = openDatabase(url.href);
    await sql`create role ${sql.id(name)} login`.execute(owner);
    await sql`alter database ${sql.id(name)} owner to ${sql.id(name)}`.execute(owner);
    await owner.destroy();
    url.username = name;
    const db = opened(url.href);
    await migrateToLatest(db);
    await db.insertInto("partners").values({ id: "aurora", name: "A", created_at: 1 }).execute();
    await db.insertInto("history").values(row).execute();
    await expect(db.updateTable("history").set({ kind: "x" }).execute()).rejects.toThrow(
      "permission denied",
    );
    await expect(sql`truncate history`.execute(db)).rejects.toThrow("permission denied");
    expect(await db.selectFrom("history").selectAll().execute()).toEqual([row]);
  },
);

describe("a newer release", () => {
  /** With one migration more. */
  const newer = (worksSince: string, up = addColumn): Release => ({
    version: "99.0.0",
    worksSince,
    migrations: { ...thisRelease.migrations, "9000-more": { up } },
  });
  const addColumn = (db: Db) =>
    db.schema.alterTable("markers").addColumn("more", "varchar(10)").execute();
  const mark = (db: Db, name: string) =>
    db.insertInto("markers").values({ name, done_at: 1 }).execute();

  it("leaves tables with which this one starts and writes, where they work since this release", async () => {
    const db = await migrated();
    await mark(db, "before");
    expect(await schemaState(db, newer(thisRelease.version))).toBe("older");
    expect(await migrateToLatest(db, newer(thisRelease.version))).toBe(1);
    expect(await schemaState(db)).toBe("current");
    expect(await migrateToLatest(db)).toBe(0);
    await mark(db, "after");
  });

  it("is refused, and changes nothing, where its tables work since a later release only", async () => {
    const db = await migrated();
    await migrateToLatest(db, newer("98.10.0"));
    expect(await schemaState(db)).toBe("newer");
    expect(await schemaState(db, { ...thisRelease, version: "98.9.0" })).toBe("newer");
    expect(await schemaState(db, { ...thisRelease, version: "98.10.0" })).toBe("current");
    await expect(migrateToLatest(db)).rejects.toThrow(
      `release ${thisRelease.version} cannot work with them: start 98.10.0 or newer, or restore the backup`,
    );
    expect(await schemaState(db, newer("98.10.0"))).toBe("current");
  });

  it("leaves everything as it was where its migration fails", async () => {
    const db = await migrated();
    const failing = newer("99.0.0", async (trx) => {
      await addColumn(trx);
      throw new Error("half way");
    });
    await expect(migrateToLatest(db, failing)).rejects.toThrow("half way");
    const columns = (await db.introspection.getTables()).find(({ name }) => name === "markers");
    expect(columns?.columns.map(({ name }) => name)).not.toContain("more");
    expect(await schemaState(db)).toBe("current");
  });
});

it("finds a database without tables older than this release", async () => {
  expect(await schemaState(opened(await freshDatabaseUrl()))).toBe("older");
});
