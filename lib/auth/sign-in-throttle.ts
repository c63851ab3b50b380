import "server-only";
import type { Executor } from "@/lib/db/open";
import {
  clear,
  failIn,
  giveBackTo,
  inSeconds,
  takeTurnIn,
  type Bucket,
  type Turn,
} from "./guess-throttle";
import type { KnownDevice } from "./known-device";
import { networkOf } from "./network-of";

/**
 * Slows down guessing. An account answers to 20 attempts an hour and, from its fifth failure, waits longer after each
 * one; an address has a bucket of its own, so that one caller cannot try a common password on every account. Both
 * are counted by what was typed, so that unknown people are throttled exactly as known ones.
 * Nobody is locked out for good: every count ends with its window, a right password clears the account's, and the devices
 * from which the person signed in before are counted apart, all together, whatever strangers do.
 * It does not stop a guesser with many addresses and much time; the cost of a hash and the length of passwords do.
 */
const perAccount = { attempts: 20, windowMs: 60 * 60_000, slows: true };
/** An office behind one address signs in with few failures; successes are given back. */
const perAddress = { attempts: 100, windowMs: 10 * 60_000, slows: false };

type Attempt = {
  /** As typed, lower-case; null where somebody else checks the person, so that only the address is counted. */
  email: string | null;
  /** null outside Gancho's own server. */
  clientAddress: string | null;
  /** One that `email` is known on. */
  device?: KnownDevice | null;
};

/**
 * Counts the attempt before the password is looked at, so that many at once cannot slip past the count. Tell the
 * outcome with `recordFailure` or `recordSuccess`.
 */
export async function takeTurn(db: Executor, attempt: Attempt, now = Date.now()): Promise<Turn> {
  if (attempt.device) return takeTurnIn(db, deviceBucket(attempt.device), now);
  const address = await takeTurnIn(db, addressBucket(attempt), now);
  if (!address.allowed || attempt.email === null) return address;
  const account = await takeTurnIn(db, accountBucket(attempt.email), now);
  if (!account.allowed) await failIn(db, addressBucket(attempt), now);
  return account;
}

/** Returns for how many seconds further attempts are not looked at from here on; null where the next one is. */
export async function recordFailure(
  db: Executor,
  attempt: Attempt,
  now = Date.now(),
): Promise<number | null> {
  let wait = 0;
  for (const bucket of bucketsOf(attempt)) wait = Math.max(wait, await failIn(db, bucket, now));
  return inSeconds(wait);
}

/**
 * The account, or the device alone, starts afresh; the address only gets this attempt back, else a guesser could clear
 * it by signing in. A known device does not clear the account's count: it is of strangers, who would get more guesses.
 */
export async function recordSuccess(db: Executor, attempt: Attempt): Promise<void> {
  if (attempt.device) return clear(db, deviceBucket(attempt.device));
  if (attempt.email !== null) await clear(db, accountBucket(attempt.email));
  await giveBackTo(db, addressBucket(attempt));
}

/** The password was not looked at after all. */
export async function giveBackTurn(db: Executor, attempt: Attempt): Promise<void> {
  for (const bucket of bucketsOf(attempt)) await giveBackTo(db, bucket);
}

/** Where an attempt is counted. */
function bucketsOf(attempt: Attempt): Bucket[] {
  if (attempt.device) return [deviceBucket(attempt.device)];
  const address = addressBucket(attempt);
  return attempt.email === null ? [address] : [address, accountBucket(attempt.email)];
}

function accountBucket(email: string): Bucket {
  return { name: `account ${email}`, ...perAccount };
}

function deviceBucket({ id }: KnownDevice): Bucket {
  return { name: `device ${id}`, ...perAccount };
}

function addressBucket({ clientAddress }: Attempt): Bucket {
  const network = clientAddress === null ? "unknown" : networkOf(clientAddress);
  return { name: `address ${network}`, ...perAddress };
}
