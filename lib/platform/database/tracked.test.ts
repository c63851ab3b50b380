import { afterAll, beforeAll, expect, it } from "vitest";
import { afterCommit } from "./tracked";
import { openDatabase, type Db } from "./open";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";

let db: Db;

beforeAll(async () => {
  db = openDatabase(await migratedDatabaseUrl());
});
afterAll(() => db.destroy());

const done = () => db.selectFrom("markers").select("name").orderBy("name").execute();

it("runs tasks after the commit, with the connection free, and before the transaction's promise resolves", async () => {
  const seen: unknown[] = [];
  await db.transaction().execute(async (trx) => {
    await trx.insertInto("markers").values({ name: "a", done_at: 1 }).execute();
    await afterCommit(trx, async () => {
      seen.push(await done());
    });
    expect(seen).toEqual([]);
  });
  expect(seen).toEqual([[{ name: "a" }]]);
});

it("drops the tasks of a transaction that was rolled back, also for the next one on the same connection", async () => {
  const seen: string[] = [];
  const wait = (name: string, end?: Error) =>
    db.transaction().execute(async (trx) => {
      await afterCommit(trx, async () => void seen.push(name));
      if (end) throw end;
    });
  await expect(wait("rolled back", new Error("no"))).rejects.toThrow("no");
  await wait("committed");
  expect(seen).toEqual(["committed"]);
});

it("keeps a commit although a task after it fails", async () => {
  await db.transaction().execute(async (trx) => {
    await trx.insertInto("markers").values({ name: "b", done_at: 1 }).execute();
    await afterCommit(trx, () => Promise.reject(new Error("disk full")));
  });
  expect(await done()).toContainEqual({ name: "b" });
});
