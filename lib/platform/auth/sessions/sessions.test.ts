import type { Db } from "@/lib/platform/database/open";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  endOtherSessionsOf,
  endSession,
  findSession,
  endSessionsOf,
  openSessionsOf,
  sessionLife,
  startSession,
  whySessionEnded,
} from "./sessions";
import { deviceOwner, knownDevice, rememberDevice } from "@/lib/platform/auth/sign-in/known-device";
import { databaseWithPeople } from "@/lib/platform/auth/testing/database-with-people";

const minute = 60_000;
const start = 1_800_000_000_000;
const from = { clientAddress: "192.0.2.7", userAgent: "test" };

let db: Db;
beforeEach(async () => {
  db = await databaseWithPeople();
});
afterEach(() => db.destroy());

it("is found by its id, which the database does not hold (threat: a stolen database opens no session)", async () => {
  const id = await startSession(db, "ana", from, { now: start });
  expect(await findSession(db, id, start)).toMatchObject({ userId: "ana", signedInAt: start });
  expect(Buffer.from(id, "base64url")).toHaveLength(32);
  const rows = await db.selectFrom("sessions").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(id);
  expect(await findSession(db, rows[0]?.id_hash ?? "", start)).toBeNull();
});

it("is over after 30 minutes without a request", async () => {
  const id = await startSession(db, "ana", from, { now: start });
  expect(await findSession(db, id, start + sessionLife.idle)).toBeNull();
  expect(sessionLife.idle).toBe(30 * minute);
});

it("ends while a page that nobody touches goes on asking (threat: a tab left open)", async () => {
  const id = await startSession(db, "ana", from, { now: start });
  for (let passed = minute; passed < sessionLife.idle; passed += minute)
    expect(await findSession(db, id, start + passed, { countsAsUse: false })).not.toBeNull();
  expect(await findSession(db, id, start + sessionLife.idle, { countsAsUse: false })).toBeNull();
});

it("goes on with every request, and is over after 8 hours all the same", async () => {
  const id = await startSession(db, "ana", from, { now: start });
  for (let now = start; now < start + 8 * 60 * minute; now += 29 * minute)
    expect(await findSession(db, id, now)).not.toBeNull();
  expect(await findSession(db, id, start + 8 * 60 * minute)).toBeNull();
});

it("writes down that it was used at most once a minute", async () => {
  const id = await startSession(db, "ana", from, { now: start });
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
  const id = await startSession(db, "ana", from, { now: start });
  const other = await startSession(db, "ana", from, { now: start });
  await endSession(db, id, start + 1);
  expect(await findSession(db, id, start + 2)).toBeNull();
  expect(await findSession(db, other, start + 2)).not.toBeNull();
});

it("is over at the next request when its person is disabled", async () => {
  const id = await startSession(db, "ana", from, { now: start });
  await db.updateTable("users").set({ disabled_at: start }).where("id", "=", "ana").execute();
  expect(await findSession(db, id, start + 1)).toBeNull();
});

it("keeps of a caller's long header only what fits", async () => {
  const long = { clientAddress: "1".repeat(500), userAgent: "x".repeat(5_000) };
  const id = await startSession(db, "ana", long, { now: start });
  expect(await findSession(db, id, start)).not.toBeNull();
});

it("lists the open ones, and ends all others but the caller's", async () => {
  const id = await startSession(db, "ana", from, { now: start });
  const other = await startSession(db, "ana", from, { now: start + minute });
  const over = await startSession(db, "ana", from, { now: start });
  await endSession(db, over, start);
  const asking = await findSession(db, id, start + 2 * minute);
  if (!asking) throw new Error("over");
  const open = await openSessionsOf(db, "ana", start + 2 * minute);
  expect(open.map(({ signedInAt }) => signedInAt)).toEqual([start, start + minute]);
  expect(await endOtherSessionsOf(db, asking, "ended_elsewhere", start + 2 * minute)).toBe(1);
  expect(await findSession(db, other, start + 2 * minute)).toBeNull();
  expect(await findSession(db, id, start + 2 * minute)).not.toBeNull();
});

it("explains to the cookie's browser why another's act ended it, and nothing after signing out", async () => {
  const [ended, left] = [
    await startSession(db, "ana", from, { now: start }),
    await startSession(db, "ana", from, { now: start }),
  ];
  await endSession(db, left, start);
  expect(await endSessionsOf(db, "ana", "role_changed", start)).toBe(1);
  await endSessionsOf(db, "ana", "disabled", start);
  expect(await whySessionEnded(db, ended)).toBe("role_changed");
  expect(await whySessionEnded(db, left)).toBeNull();
  expect(await whySessionEnded(db, "made up")).toBeNull();
});

it.each([
  ["role_changed", true],
  ["password_changed", false],
  ["ended_elsewhere", false],
  ["disabled", false],
] as const)("when ended by %s leaves the person's browsers known: %s", async (because, known) => {
  const mark = rememberDevice(await deviceOwner(db, "ana"));
  await endSessionsOf(db, "ana", because);
  expect(knownDevice(mark, await deviceOwner(db, "ana")) !== null).toBe(known);
});
