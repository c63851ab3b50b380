import { insertWith } from "@/lib/platform/database/testing/rows";
import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import {
  endSession,
  findSession,
  endSessionsOf,
  sessionLife,
  startSession,
  whySessionEnded,
} from "./sessions";
import { deviceOwner, knownDevice, rememberDevice } from "@/lib/platform/auth/sign-in/known-device";
import { setDatabaseTime } from "@/lib/platform/runtime/database-time";
import { whileClockIsAhead } from "@/lib/platform/runtime/testing/clock";
import { amongPeople, db } from "@/lib/platform/auth/testing/database-with-people";

const minute = 60_000;
const start = 1_800_000_000_000;
const from = { clientAddress: "192.0.2.7", userAgent: "test" };

amongPeople();

const begin = (at = start, caller = from) => startSession(db, "ana", caller, { now: at });
const isOpen = async (id: string, at: number) => (await findSession(db, id, at)) !== null;

it("is found by its id, which the database does not hold (threat: a stolen database opens no session)", async () => {
  const id = await begin();
  expect(await findSession(db, id, start)).toMatchObject({ userId: "ana", signedInAt: start });
  expect(Buffer.from(id, "base64url")).toHaveLength(32);
  const rows = await db.selectFrom("sessions").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(id);
  expect(await isOpen(rows[0]?.id_hash ?? "", start)).toBe(false);
});

it("is opened by no row that somebody added without AUTH_SECRET (threat: whoever may write to the database signs in as anybody)", async () => {
  await begin();
  const row = await db.selectFrom("sessions").selectAll().executeTakeFirstOrThrow();
  const id = randomBytes(32).toString("base64url");
  for (const digest of [id, createHash("sha256").update(id).digest("hex")])
    await insertWith(db, "sessions", [{ ...row, id_hash: digest }]);
  expect(await isOpen(id, start)).toBe(false);
});

it("is over after 30 minutes without a request", async () => {
  const id = await begin();
  expect(await isOpen(id, start + sessionLife.idle)).toBe(false);
  expect(sessionLife.idle).toBe(30 * minute);
});

it("ends although an untouched page keeps sending requests (threat: a tab left open)", async () => {
  const id = await begin();
  for (let passed = minute; passed < sessionLife.idle; passed += minute)
    expect(await findSession(db, id, start + passed, { countsAsUse: false })).not.toBeNull();
  expect(await findSession(db, id, start + sessionLife.idle, { countsAsUse: false })).toBeNull();
});

it("is extended by every request, and still ends after 8 hours", async () => {
  const id = await begin();
  for (let now = start; now < start + 8 * 60 * minute; now += 29 * minute)
    expect(await isOpen(id, now)).toBe(true);
  expect(await isOpen(id, start + 8 * 60 * minute)).toBe(false);
});

it("lasts by the database's time (threat: an instance whose clock is wrong ends or prolongs it)", async () => {
  setDatabaseTime(Date.now() - performance.now());
  const id = await startSession(db, "ana", from);
  await whileClockIsAhead(async () => expect(await findSession(db, id)).not.toBeNull());
});

it("records its use at most once a minute", async () => {
  const id = await begin();
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
  const id = await begin();
  const other = await begin();
  await endSession(db, id, start + 1);
  expect(await isOpen(id, start + 2)).toBe(false);
  expect(await isOpen(other, start + 2)).toBe(true);
});

it("is over at the next request when its person is disabled", async () => {
  const id = await begin();
  await db.updateTable("users").set({ disabled_at: start }).where("id", "=", "ana").execute();
  expect(await isOpen(id, start + 1)).toBe(false);
});

it("truncates a caller's long headers", async () => {
  const long = { clientAddress: "1".repeat(500), userAgent: "x".repeat(5_000) };
  const id = await begin(start, long);
  expect(await isOpen(id, start)).toBe(true);
});

it("tells the browser with its cookie why somebody else ended it, and nothing after signing out", async () => {
  const [ended, left] = [await begin(), await begin()];
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
