import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { createHash } from "node:crypto";

/** Attempts that count together, and their maximum. */
export type Bucket = {
  /** Its name; the database has only a digest of it. */
  name: string;
  attempts: number;
  windowMs: number;
  /** From the fifth failure on, each makes the next attempt wait longer. */
  slows: boolean;
};

export type Turn = { allowed: true } | { allowed: false; retryAfterSeconds: number };

const freeFailures = 5;
const maxDelayMs = 5 * 60_000;

/**
 * Counts an attempt before checking it, so that many at once cannot slip past the count. Every count ends with its
 * window, so nobody is locked out for good.
 */
export async function consumeFrom(db: Executor, bucket: Bucket, now: number): Promise<Turn> {
  await db.deleteFrom("sign_in_attempts").where("window_ends_at", "<=", now).execute();
  const counted = await db
    .insertInto("sign_in_attempts")
    .values({
      bucket: digestOf(bucket),
      attempts: 1,
      failures: 0,
      blocked_until: 0,
      window_ends_at: now + bucket.windowMs,
    })
    .onConflict((conflict) =>
      conflict
        .column("bucket")
        .doUpdateSet((eb) => ({ attempts: eb("sign_in_attempts.attempts", "+", 1) }))
        .where("sign_in_attempts.blocked_until", "<=", now)
        .where("sign_in_attempts.attempts", "<", bucket.attempts),
    )
    .returning("bucket")
    .executeTakeFirst();
  if (counted) return { allowed: true };
  const row = await db
    .selectFrom("sign_in_attempts")
    .select(["failures", "blocked_until", "window_ends_at"])
    .where("bucket", "=", digestOf(bucket))
    .executeTakeFirst();
  return { allowed: false, retryAfterSeconds: secondsUntil(row, bucket, now) };
}

/**
 * One second if the count is full of attempts that are still being checked; else until the block or the window ends.
 */
function secondsUntil(
  row: { failures: number; blocked_until: number; window_ends_at: number } | undefined,
  bucket: Bucket,
  now: number,
): number {
  if (!row) return 1;
  const until = row.failures >= bucket.attempts ? row.window_ends_at : row.blocked_until;
  return Math.max(1, Math.ceil((until - now) / 1000));
}

/** Records a wrong attempt. Returns for how many milliseconds further attempts are refused; 0: not at all. */
export async function recordWrongGuess(db: Executor, bucket: Bucket, now: number): Promise<number> {
  const row = await db
    .updateTable("sign_in_attempts")
    .set((eb) => ({ failures: eb("failures", "+", 1) }))
    .where("bucket", "=", digestOf(bucket))
    .returning(["failures", "window_ends_at"])
    .executeTakeFirst();
  const full = row && row.failures >= bucket.attempts ? row.window_ends_at - now : 0;
  const wait = row && bucket.slows ? delayMs(row.failures) : 0;
  if (wait === 0) return full;
  await db
    .updateTable("sign_in_attempts")
    .set({ blocked_until: now + wait })
    .where("bucket", "=", digestOf(bucket))
    .where("blocked_until", "<", now + wait)
    .execute();
  return Math.max(wait, full);
}

/** What `recordWrongGuess` returns. */
export function inSeconds(wait: number): number | null {
  return wait > 0 ? Math.ceil(wait / 1000) : null;
}

/** 2, 4, 8 … seconds after the fifth failure and each later one. */
function delayMs(failures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(maxDelayMs, 2_000 * 2 ** (failures - freeFailures));
}

/** Takes the attempt out of the count. */
export async function refundTo(db: Executor, bucket: Bucket): Promise<void> {
  await db
    .updateTable("sign_in_attempts")
    .set((eb) => ({ attempts: eb("attempts", "-", 1) }))
    .where("bucket", "=", digestOf(bucket))
    .where("attempts", ">", 0)
    .execute();
}

/** Starts the count from zero. */
export async function clear(db: Executor, bucket: Bucket): Promise<void> {
  await db.deleteFrom("sign_in_attempts").where("bucket", "=", digestOf(bucket)).execute();
}

/** A typed address may be anything, also a password. */
function digestOf({ name }: Bucket): string {
  return createHash("sha256").update(name).digest("hex");
}
