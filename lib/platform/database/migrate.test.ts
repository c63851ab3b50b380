import { programFile } from "@/lib/cli/programs.mjs";
import { sql } from "kysely";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { migrateToLatest } from "./migrate";
import { historyOfPeople } from "@/lib/platform/database/migrations/0016-history-of-people";
import { openDatabase } from "./open";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";

async function migrated() {
  const db = openDatabase(await freshDatabaseUrl());
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
  actor_name: null,
  client_address: null,
  request_id: null,
  outcome: "saved",
  detail_json: "{}",
  mac: "00",
};

it("creates every table once, also when run again", async () => {
  const db = await migrated();
  await migrateToLatest(db);
  expect(await db.selectFrom("partners").selectAll().execute()).toEqual([]);
  await db.destroy();
});

it("lets several processes start at once", async () => {
  const url = await freshDatabaseUrl();
  const program = await programFile("migrate-copy");
  const instance = () => promisify(execFile)(process.execPath, [program, url]);
  await Promise.all([instance(), instance(), instance()]);
  const db = openDatabase(url);
  expect(await db.selectFrom("partners").selectAll().execute()).toEqual([]);
  await db.destroy();
});

it("refuses to edit or delete a history row (threat: rewriting the past)", async () => {
  const db = await migrated();
  await db
    .insertInto("partners")
    .values({ id: "aurora", name: "A", created_at: 1, suspended_at: null })
    .execute();
  await db.insertInto("history").values(row).execute();
  await expect(db.updateTable("history").set({ kind: "x" }).execute()).rejects.toThrow(
    "append-only",
  );
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
  await db.destroy();
});

const isPostgres = process.env["TEST_ENGINE"] === "postgres";

it.skipIf(isPostgres)(
  "keeps every entry of the history, and what guards it, when its tables are made anew",
  async () => {
    const db = await migrated();
    const own = { ...row, partner_id: "@people" };
    await db.insertInto("history").values(own).execute();
    await db
      .insertInto("history_heads")
      .values({ partner_id: "@people", seq: 1, mac: "00" })
      .execute();
    const indexes = () =>
      sql`select name from sqlite_master where tbl_name = 'history' order by name`.execute(db);
    // They came later, so the migration knows nothing of them.
    for (const index of ["history_requests", "history_of_people"])
      await sql`drop index ${sql.id(index)}`.execute(db);
    const before = await indexes();
    await db.transaction().execute((trx) => historyOfPeople.up(trx));
    expect(await indexes()).toEqual(before);
    expect(await db.selectFrom("history").selectAll().execute()).toEqual([own]);
    expect(await db.selectFrom("history_heads").select("seq").execute()).toEqual([{ seq: 1 }]);
    const edit = db.updateTable("history").set({ kind: "x" }).execute();
    await expect(edit).rejects.toThrow("append-only");
    await db.destroy();
  },
);

it.runIf(isPostgres)(
  "takes the right to edit history away from the role it runs as, where that is no superuser",
  async () => {
    const url = new URL(await freshDatabaseUrl());
    const name = url.pathname.slice(1);
    const owner = openDatabase(url.href);
    await sql`create role ${sql.id(name)} login`.execute(owner);
    await sql`alter database ${sql.id(name)} owner to ${sql.id(name)}`.execute(owner);
    await owner.destroy();
    url.username = name;
    const db = openDatabase(url.href);
    await migrateToLatest(db);
    await db
      .insertInto("partners")
      .values({ id: "aurora", name: "A", created_at: 1, suspended_at: null })
      .execute();
    await db.insertInto("history").values(row).execute();
    await expect(db.updateTable("history").set({ kind: "x" }).execute()).rejects.toThrow(
      "permission denied",
    );
    await expect(sql`truncate history`.execute(db)).rejects.toThrow("permission denied");
    expect(await db.selectFrom("history").selectAll().execute()).toEqual([row]);
    await db.destroy();
  },
);
