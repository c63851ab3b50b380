import type { Db } from "@/lib/db/open";
import { afterEach, beforeEach, expect, it } from "vitest";
import { endSession, findSession, sessionLife, startSession } from "./sessions";
import { databaseWithPeople } from "./testing/database-with-people";

const minute = 60_000;
const start = 1_800_000_000_000;
const from = { clientAddress: "192.0.2.7", userAgent: "test" };

let db: Db;
beforeEach(async () => {
  db = await databaseWithPeople();
});
afterEach(() => db.destroy());

it("is found by its id, which the database does not hold (threat: a stolen database opens no session)", async () => {
  const id = await startSession(db, "ana", from, start);
  expect(await findSession(db, id, start)).toMatchObject({ userId: "ana", signedInAt: start });
  expect(Buffer.from(id, "base64url")).toHaveLength(32);
  const rows = await db.selectFrom("sessions").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(id);
  expect(await findSession(db, rows[0]?.id_hash ?? "", start)).toBeNull();
});

it("is over after 30 minutes without a request", async () => {
  const id = await startSession(db, "ana", from, start);
  expect(await findSession(db, id, start + sessionLife.idle)).toBeNull();
  expect(sessionLife.idle).toBe(30 * minute);
});

it("goes on with every request, and is over after 8 hours all the same", async () => {
  const id = await startSession(db, "ana", from, start);
  for (let now = start; now < start + 8 * 60 * minute; now += 29 * minute)
    expect(await findSession(db, id, now)).not.toBeNull();
  expect(await findSession(db, id, start + 8 * 60 * minute)).toBeNull();
});

it("writes down that it was used at most once a minute", async () => {
  const id = await startSession(db, "ana", from, start);
  const seenAfter = async (ms: number) => {
    await findSession(db, id, start + ms);
    const row = await db.selectFrom("sessions").select("last_seen_at").executeTakeFirstOrThrow();
    return row.last_seen_at - start;
  };
  expect(await seenAfter(59_000)).toBe(0);
  expect(await seenAfter(61_000)).toBe(61_000);
  expect(await seenAfter(90_000)).toBe(61_000);
});

it("is over at once when it is ended, and others are not", async () => {
  const id = await startSession(db, "ana", from, start);
  const other = await startSession(db, "ana", from, start);
  await endSession(db, id, start + 1);
  expect(await findSession(db, id, start + 2)).toBeNull();
  expect(await findSession(db, other, start + 2)).not.toBeNull();
});

it("is over at the next request when its person is disabled", async () => {
  const id = await startSession(db, "ana", from, start);
  await db.updateTable("users").set({ disabled_at: start }).where("id", "=", "ana").execute();
  expect(await findSession(db, id, start + 1)).toBeNull();
});

it("keeps of a caller's long header only what fits", async () => {
  const long = { clientAddress: "1".repeat(500), userAgent: "x".repeat(5_000) };
  const id = await startSession(db, "ana", long, start);
  expect(await findSession(db, id, start)).not.toBeNull();
});
