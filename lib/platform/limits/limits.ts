import "server-only";
import { tooMany } from "@/lib/platform/http/model/problem";
import { db, type Db, type Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { inFlight } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { expressionBuilder, sql, type Expression } from "kysely";
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";

/** Attempts that count together: at most so many within so many seconds from the first one. */
export type Limit = {
  /** Its name; the database has only a digest of it, for a typed address may be anything, also a password. */
  key: string;
  most: number;
  seconds: number;
  /** How many of them this attempt is; one where left out. */
  weight?: number;
  /** For guesses: from the fifth failure on, each makes the next attempt wait longer. */
  slows?: true;
};

/** `retryAfterSeconds`: until a wait or the window ends; one, if attempts that are still being checked fill it. */
export type RateLimitResult = { allowed: true } | { allowed: false; retryAfterSeconds: number };

const tenMinutes = 600;
const day = 86_400;

/**
 * Who makes a change. `group`: the people of one role at one partner, so that no role uses up what another one needs;
 * null for staff outside a view, who count by person alone. `session`: its hash, for people's changes of their own
 * account: the thief of one session cannot keep its person from a new password.
 */
export type ChangeBy = { person: string; group: string | null } | { session: string };

/** The people who act in this role at this partner, for `ChangeBy` and other limits that they share. */
export function groupOf({ partner, role }: { partner: { id: string }; role: string }): string {
  return `${partner.id} as ${role}`;
}

/**
 * The changes of a person. Each change is an entry or two of a history that nobody can shorten. Ten changes in ten
 * minutes are a busy person; a script is stopped within seconds.
 */
function ownLimits(by: ChangeBy): Limit[] {
  const { changeLimit } = env();
  return spread(
    "session" in by ? `changes in ${by.session}` : `changes by ${by.person}`,
    changeLimit,
  );
}

/** Only four people of one role together can use up their share of a partner's history. */
function sharedLimits(by: ChangeBy): Limit[] {
  if ("session" in by || by.group === null) return [];
  return spread(`changes at ${by.group}`, 4 * env().changeLimit);
}

function spread(key: string, most: number): Limit[] {
  return [
    { key: `${key} in ten minutes`, most, seconds: tenMinutes },
    { key: `${key} in a day`, most: 5 * most, seconds: day },
  ];
}

/**
 * Counts a change that is about to be made. Throws `too_many_requests`: then nothing was changed. Make the change in
 * `keepingCount`.
 */
export async function countChange(by: ChangeBy): Promise<void> {
  await enforceLimits([...ownLimits(by), ...sharedLimits(by)]);
}

type Recording = { any: boolean };

const recording = () => processWide("recording", () => new AsyncLocalStorage<Recording>());

/** For the history: the work in progress has added an entry. */
export function noteEntry(): void {
  const own = recording().getStore();
  if (own) own.any = true;
}

/**
 * Makes a change that `countChange` has counted. If it has added no entry to a history, it no longer counts against
 * those with whom its person shares a limit: otherwise a script of refused requests would stop all of them.
 */
export async function keepingCount<Result>(
  by: ChangeBy,
  work: () => Promise<Result>,
): Promise<Result> {
  const own: Recording = { any: false };
  try {
    return await recording().run(own, work);
  } finally {
    // The answer does not wait for it: a save that is answered at the last moment would come too late.
    if (!own.any) void inFlight(giveBack(by));
  }
}

async function giveBack(by: ChangeBy): Promise<void> {
  try {
    for (const limit of sharedLimits(by)) await refundTo(db(), limit);
  } catch (err) {
    // They count until their window ends.
    log.warn({ err }, "counted changes could not be given back");
  }
}

/**
 * Counts a reading that takes long: as many as changes in ten minutes, and apart from them. By person alone: a reading
 * changes nothing for others. Throws `too_many_requests`.
 */
export async function countLongReading(
  what: "exports" | "diagnoses",
  { person }: { person: string },
): Promise<void> {
  const { changeLimit } = env();
  await enforceLimits([{ key: `${what} by ${person}`, most: changeLimit, seconds: tenMinutes }]);
}

/** Counts one more. Throws `too_many_requests` where there were as many already. */
export async function enforceLimits(limits: readonly Limit[]): Promise<void> {
  const retryAfter = await take(db(), limits);
  if (retryAfter !== null) throw tooMany(retryAfter);
}

/**
 * Counts one more in each, in this order, in the database, so that several instances count together; the first full one
 * ends it. In one statement, to wait for the database and its disk once; not in the caller's transaction, so that counts
 * persist. Returns null, or in how many seconds there is room.
 */
export async function take(
  db: Db,
  limits: readonly Limit[],
  now = databaseTime(),
): Promise<number | null> {
  await cleanUp(db);
  for (;;) {
    const counted = await countIn(db, limits, now);
    const first = limits.findIndex((limit) => !counted.has(digestOf(limit)));
    const limit = limits[first];
    if (!limit) return null;
    // Somebody else filled it in the meantime.
    const giveBack = async (taken: readonly Limit[]) => {
      for (const each of taken) if (counted.has(digestOf(each))) await refundTo(db, each);
    };
    await giveBack(limits.slice(first + 1));
    const row = await find(db, limit);
    if (!hasRoom(row, limit, now)) return secondsUntil(row?.window_ends_at ?? now, now);
    // Somebody gave one back in the meantime.
    await giveBack(limits.slice(0, first));
  }
}

/**
 * Counts a guess before checking it, so that many at once cannot slip past the count. Every count ends with its window,
 * so nobody is locked out for good.
 */
export async function consumeFrom(
  db: Executor,
  limit: Limit,
  now: number,
): Promise<RateLimitResult> {
  await deleteExpired(db, now);
  if ((await countIn(db, [limit], now)).size > 0) return { allowed: true };
  const row = await find(db, limit);
  const isFull = row && row.failures >= limit.most;
  const until = isFull ? row.window_ends_at : (row?.blocked_until ?? now);
  return { allowed: false, retryAfterSeconds: secondsUntil(until, now) };
}

/**
 * Counts in each of these up to the first that is full, or waits; returns the buckets in which it did. One statement, so
 * that concurrent attempts cannot exceed a limit. Where others fill one at that moment, later ones may be counted, too.
 */
async function countIn(
  db: Executor,
  limits: readonly Limit[],
  now: number,
): Promise<ReadonlySet<string>> {
  const impossible = limits.findIndex(({ weight = 1, most }) => weight > most);
  const possible = impossible === -1 ? limits : limits.slice(0, impossible);
  const [first, ...others] = possible.map((limit, at) =>
    attemptIn(db, limit, possible.slice(0, at), now),
  );
  if (!first) return new Set();
  const rows = await db
    .insertInto("rate_limits")
    .columns(["bucket", "attempts", "failures", "blocked_until", "window_ends_at"])
    .expression(others.reduce((all, each) => all.unionAll(each), first))
    .onConflict((conflict) =>
      conflict
        .column("bucket")
        .doUpdateSet((eb) => {
          const unlessOver = (
            column: "attempts" | "failures" | "blocked_until" | "window_ends_at",
            kept = eb.ref(`rate_limits.${column}`) as Expression<number>,
          ) =>
            eb
              .case()
              .when("rate_limits.window_ends_at", "<=", now)
              .then(eb.ref(`excluded.${column}`))
              .else(kept)
              .end();
          const more = eb("rate_limits.attempts", "+", eb.ref("excluded.attempts"));
          return {
            attempts: unlessOver("attempts", more),
            failures: unlessOver("failures"),
            blocked_until: unlessOver("blocked_until"),
            window_ends_at: unlessOver("window_ends_at"),
          };
        })
        .where((eb) => eb.not(eb.or(possible.map((limit) => isFull(limit, now))))),
    )
    .returning("bucket")
    .execute();
  return new Set(rows.map(({ bucket }) => bucket));
}

/** The row of a first attempt; none where one of `earlier` is full. */
function attemptIn(db: Executor, limit: Limit, earlier: readonly Limit[], now: number) {
  const number = (value: number) => sql<number>`cast(${value} as bigint)`;
  const { weight = 1, seconds } = limit;
  return db
    .selectNoFrom([
      sql<string>`cast(${digestOf(limit)} as varchar(64))`.as("bucket"),
      number(weight).as("attempts"),
      number(0).as("failures"),
      number(0).as("blocked_until"),
      number(now + seconds * 1_000).as("window_ends_at"),
    ])
    .where(({ not, exists, selectFrom, or }) =>
      not(
        exists(
          selectFrom("rate_limits")
            .select("bucket")
            .where(or(earlier.map((each) => isFull(each, now)))),
        ),
      ),
    );
}

/** The row of this limit, where it has no room for this attempt. */
function isFull(limit: Limit, now: number) {
  const { weight = 1, most } = limit;
  const { eb, and, or } = expressionBuilder<Database, "rate_limits">();
  return and([
    eb("rate_limits.bucket", "=", digestOf(limit)),
    eb("rate_limits.window_ends_at", ">", now),
    or([eb("rate_limits.blocked_until", ">", now), eb("rate_limits.attempts", ">", most - weight)]),
  ]);
}

function hasRoom(
  row: Awaited<ReturnType<typeof find>>,
  { weight = 1, most }: Limit,
  now: number,
): boolean {
  if (weight > most) return false;
  if (!row || row.window_ends_at <= now) return true;
  return row.blocked_until <= now && row.attempts <= most - weight;
}

function find(db: Executor, limit: Limit) {
  return db
    .selectFrom("rate_limits")
    .select(["attempts", "failures", "blocked_until", "window_ends_at"])
    .where("bucket", "=", digestOf(limit))
    .executeTakeFirst();
}

const freeFailures = 5;
const maxDelayMs = 5 * 60_000;

/** Records a wrong guess. Returns for how many milliseconds further ones are refused; 0: not at all. */
export async function recordWrongGuess(db: Executor, limit: Limit, now: number): Promise<number> {
  const row = await db
    .updateTable("rate_limits")
    .set((eb) => ({ failures: eb("failures", "+", 1) }))
    .where("bucket", "=", digestOf(limit))
    .returning(["failures", "window_ends_at"])
    .executeTakeFirst();
  const full = row && row.failures >= limit.most ? row.window_ends_at - now : 0;
  const wait = row && limit.slows ? delayMs(row.failures) : 0;
  if (wait === 0) return full;
  await db
    .updateTable("rate_limits")
    .set({ blocked_until: now + wait })
    .where("bucket", "=", digestOf(limit))
    .where("blocked_until", "<", now + wait)
    .execute();
  return Math.max(wait, full);
}

/** The same as `recordWrongGuess` returns, for people. */
export function inSeconds(wait: number): number | null {
  return wait > 0 ? Math.ceil(wait / 1000) : null;
}

/** 2, 4, 8 … seconds after the fifth failure and each later one. */
function delayMs(failures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(maxDelayMs, 2_000 * 2 ** (failures - freeFailures));
}

/** Takes an attempt out of the count. */
export async function refundTo(db: Executor, limit: Limit): Promise<void> {
  await db
    .updateTable("rate_limits")
    .set((eb) => ({ attempts: eb("attempts", "-", limit.weight ?? 1) }))
    .where("bucket", "=", digestOf(limit))
    .where("attempts", ">=", limit.weight ?? 1)
    .execute();
}

/** Starts the count from zero. */
export async function clear(db: Executor, limit: Limit): Promise<void> {
  await db.deleteFrom("rate_limits").where("bucket", "=", digestOf(limit)).execute();
}

function digestOf({ key }: Limit): string {
  return createHash("sha256").update(key).digest("hex");
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1_000));
}

const cleanedUpAt = new WeakMap<Db, number>();

/** At most once a minute. */
async function cleanUp(db: Db): Promise<void> {
  const now = databaseTime();
  if (now < (cleanedUpAt.get(db) ?? 0) + 60_000) return;
  cleanedUpAt.set(db, now);
  await deleteExpired(db, now);
}

async function deleteExpired(db: Executor, now: number): Promise<void> {
  await db.deleteFrom("rate_limits").where("window_ends_at", "<=", now).execute();
}
