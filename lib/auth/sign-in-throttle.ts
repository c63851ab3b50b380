import "server-only";
import type { Executor } from "@/lib/db/open";
import { createHash } from "node:crypto";
import { networkOf } from "./network-of";

/**
 * Slows down guessing. An account answers to 20 attempts an hour and, from its fifth failure, waits longer after each
 * one; an address has a bucket of its own, so that one caller cannot try a common password on every account. Both
 * are counted by what was typed, so that unknown people are throttled exactly as known ones.
 * Nobody is locked out for good: every count ends with its window, and a right password clears the account's.
 * It does not stop a guesser with many addresses and much time; the cost of a hash and the length of passwords do.
 */
type Limit = { attempts: number; windowMs: number };

const perAccount: Limit = { attempts: 20, windowMs: 60 * 60_000 };
/** An office behind one address signs in with few failures; successes are given back. */
const perAddress: Limit = { attempts: 100, windowMs: 10 * 60_000 };

const freeFailures = 5;
const longestDelayMs = 5 * 60_000;

type Attempt = {
  /** As typed, lower-case; null where somebody else checks the person, so that only the address is counted. */
  email: string | null;
  /** null outside Gancho's own server. */
  clientAddress: string | null;
};

export type Turn = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/**
 * Counts the attempt before the password is looked at, so that many at once cannot slip past the count. Tell the
 * outcome with `recordFailure` or `recordSuccess`.
 */
export async function takeTurn(db: Executor, attempt: Attempt, now = Date.now()): Promise<Turn> {
  await db.deleteFrom("sign_in_attempts").where("window_ends_at", "<=", now).execute();
  const address = await count(db, addressBucket(attempt), perAddress, now);
  if (!address.allowed || attempt.email === null) return address;
  const account = await count(db, accountBucket(attempt.email), perAccount, now);
  if (!account.allowed) await fail(db, addressBucket(attempt), now, () => 0);
  return account;
}

async function count(db: Executor, bucket: string, limit: Limit, now: number): Promise<Turn> {
  const counted = await db
    .insertInto("sign_in_attempts")
    .values({
      bucket,
      attempts: 1,
      failures: 0,
      blocked_until: 0,
      window_ends_at: now + limit.windowMs,
    })
    .onConflict((conflict) =>
      conflict
        .column("bucket")
        .doUpdateSet((eb) => ({ attempts: eb("sign_in_attempts.attempts", "+", 1) }))
        .where("sign_in_attempts.blocked_until", "<=", now)
        .where("sign_in_attempts.attempts", "<", limit.attempts),
    )
    .returning("bucket")
    .executeTakeFirst();
  if (counted) return { allowed: true };
  const row = await db
    .selectFrom("sign_in_attempts")
    .select(["failures", "blocked_until", "window_ends_at"])
    .where("bucket", "=", bucket)
    .executeTakeFirst();
  return { allowed: false, retryAfterSeconds: secondsUntil(row, limit, now) };
}

/** Where the count is full of attempts still being checked, a moment; else until the block or the window ends. */
function secondsUntil(
  row: { failures: number; blocked_until: number; window_ends_at: number } | undefined,
  limit: Limit,
  now: number,
): number {
  if (!row) return 1;
  const until = row.failures >= limit.attempts ? row.window_ends_at : row.blocked_until;
  return Math.max(1, Math.ceil((until - now) / 1000));
}

export async function recordFailure(
  db: Executor,
  attempt: Attempt,
  now = Date.now(),
): Promise<void> {
  await fail(db, addressBucket(attempt), now, () => 0);
  if (attempt.email !== null) await fail(db, accountBucket(attempt.email), now, delayMs);
}

async function fail(
  db: Executor,
  bucket: string,
  now: number,
  delay: (failures: number) => number,
): Promise<void> {
  const row = await db
    .updateTable("sign_in_attempts")
    .set((eb) => ({ failures: eb("failures", "+", 1) }))
    .where("bucket", "=", bucket)
    .returning("failures")
    .executeTakeFirst();
  const wait = row ? delay(row.failures) : 0;
  if (wait === 0) return;
  await db
    .updateTable("sign_in_attempts")
    .set({ blocked_until: now + wait })
    .where("bucket", "=", bucket)
    .where("blocked_until", "<", now + wait)
    .execute();
}

/** 2, 4, 8 … seconds after the fifth failure and each later one. */
function delayMs(failures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(longestDelayMs, 2_000 * 2 ** (failures - freeFailures));
}

/** The account starts afresh; the address only gets this attempt back, else a guesser could clear it by signing in. */
export async function recordSuccess(db: Executor, attempt: Attempt): Promise<void> {
  if (attempt.email !== null) await clearAccount(db, attempt.email);
  await giveBack(db, addressBucket(attempt));
}

async function clearAccount(db: Executor, email: string): Promise<void> {
  await db.deleteFrom("sign_in_attempts").where("bucket", "=", accountBucket(email)).execute();
}

/** The password was not looked at after all. */
export async function giveBackTurn(db: Executor, attempt: Attempt): Promise<void> {
  await giveBack(db, addressBucket(attempt));
  if (attempt.email !== null) await giveBack(db, accountBucket(attempt.email));
}

async function giveBack(db: Executor, bucket: string): Promise<void> {
  await db
    .updateTable("sign_in_attempts")
    .set((eb) => ({ attempts: eb("attempts", "-", 1) }))
    .where("bucket", "=", bucket)
    .where("attempts", ">", 0)
    .execute();
}

function accountBucket(email: string): string {
  return digest(`account ${email}`);
}

function addressBucket({ clientAddress }: Attempt): string {
  return digest(`address ${clientAddress === null ? "unknown" : networkOf(clientAddress)}`);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
