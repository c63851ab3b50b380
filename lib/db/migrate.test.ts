import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { migrateToLatest } from "./migrate";
import { openDatabase } from "./open";

async function freshDatabase() {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "gancho-")), "data");
  const db = openDatabase(`file:${folder}/gancho.db`);
  await migrateToLatest(db);
  return { db, folder };
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
  const { db } = await freshDatabase();
  await migrateToLatest(db);
  expect(await db.selectFrom("partners").selectAll().execute()).toEqual([]);
  await db.destroy();
});

it("keeps the file and its folder to their owner, whatever the umask", async () => {
  const before = process.umask(0);
  const { db, folder } = await freshDatabase().finally(() => process.umask(before));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of ["gancho.db", "gancho.db-wal", "gancho.db-shm"])
    expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
  await db.destroy();
});

it("refuses to edit or delete a history row (threat: rewriting the past)", async () => {
  const { db } = await freshDatabase();
  await db
    .insertInto("partners")
    .values({ id: "aurora", name: "A", created_at: 1, suspended_at: null })
    .execute();
  await db.insertInto("history").values(row).execute();
  await expect(db.updateTable("history").set({ kind: "x" }).execute()).rejects.toThrow(
    "append-only",
  );
  await expect(db.deleteFrom("history").execute()).rejects.toThrow("append-only");
  expect(await db.selectFrom("history").selectAll().execute()).toEqual([row]);
  await db.destroy();
});
