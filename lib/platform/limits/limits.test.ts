import { isWaiting } from "@/lib/platform/database/testing/locks";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { watchingWrites } from "@/lib/platform/database/unavailable";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { refundTo, take, type Limit } from "./limits";

const isPostgres = process.env["TEST_ENGINE"] === "postgres";

let url: string;
let db: Db;
beforeEach(async () => {
  url = await migratedDatabaseUrl();
  db = openDatabase(url);
});
afterEach(async () => {
  vi.useRealTimers();
  await db.destroy();
});

const three = (key: string): Limit => ({ key, most: 3, seconds: 60 });

async function takeOften(times: number, limits: Limit[]) {
  const waits = [];
  for (let n = 0; n < times; n++) waits.push(await take(db, limits));
  return waits;
}

it("allows as many as a limit says, for each key by itself, and says when there is room again", async () => {
  const [first, second, third, fourth] = await takeOften(4, [three("a")]);
  expect([first, second, third]).toEqual([null, null, null]);
  expect(fourth).toBeGreaterThan(0);
  expect(fourth).toBeLessThanOrEqual(60);
  expect(await take(db, [three("b")])).toBeNull();
});

it("counts concurrent attempts, and allows no more than there is room for (threat: a burst)", async () => {
  const waits = await Promise.all(Array.from({ length: 30 }, () => take(db, [three("a")])));
  expect(waits.filter((wait) => wait === null)).toHaveLength(3);
});

it("counts together what several processes do", async () => {
  const other = openDatabase(url);
  await takeOften(3, [three("a")]);
  expect(await take(other, [three("a")])).toBeGreaterThan(0);
  await other.destroy();
});

it("stops at the first that is full, and does not count the others", async () => {
  await takeOften(3, [three("person")]);
  expect(await take(db, [three("person"), three("partner")])).not.toBeNull();
  expect(await takeOften(3, [three("partner")])).toEqual([null, null, null]);
});

it("is no change that somebody asked for (threat: a failure after it says that something may have been changed)", () =>
  watchingWrites(async (mayHaveWritten) => {
    await takeOften(4, [three("a")]);
    expect(mayHaveWritten()).toBe(false);
    await db.insertInto("markers").values({ name: "asked for", done_at: 0 }).execute();
    expect(mayHaveWritten()).toBe(true);
  }));

it("has room again when the window has ended, and deletes what has ended", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await takeOften(5, [three("a"), three("b")]);
  vi.setSystemTime(Date.now() + 61_000);
  expect(await take(db, [three("a")])).toBeNull();
  const kept = await db.selectFrom("rate_limits").select("attempts").execute();
  expect(kept).toEqual([{ attempts: 1 }]);
});

it("counts by weight, such as bytes: a lighter one may still have room, and a heavier one than the limit never has", async () => {
  const bytes = (weight: number): Limit => ({ key: "bytes", most: 10, seconds: 60, weight });
  expect(await take(db, [bytes(11)])).not.toBeNull();
  expect(await take(db, [bytes(7)])).toBeNull();
  expect(await take(db, [bytes(4)])).not.toBeNull();
  expect(await take(db, [bytes(3)])).toBeNull();
  expect(await take(db, [bytes(1)])).not.toBeNull();
});

it.runIf(isPostgres)("takes a place that is given back while it waits", async () => {
  const other = openDatabase(url);
  const ten: Limit = { key: "ten minutes", most: 1, seconds: 600 };
  const day: Limit = { key: "a day", most: 3, seconds: 86_400 };
  expect(await take(db, [ten, day])).toBeNull();
  let waiting: Promise<number | null> = Promise.resolve(0);
  await other.transaction().execute(async (trx) => {
    await refundTo(trx, ten);
    waiting = take(db, [ten, day]);
    await expect.poll(() => isWaiting(trx)).toBe(true);
  });
  expect(await waiting).toBeNull();
  const counted = await db.selectFrom("rate_limits").select("attempts").execute();
  expect(counted.map(({ attempts }) => attempts).sort()).toEqual([1, 2]);
  await other.destroy();
});
