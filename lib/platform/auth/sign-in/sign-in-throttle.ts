import "server-only";
import type { Db, Executor } from "@/lib/platform/database/open";
import { take } from "@/lib/platform/limits/limits";
import {
  clear,
  failIn,
  refundTo,
  inSeconds,
  consumeFrom,
  type Bucket,
  type Turn,
} from "@/lib/platform/limits/guesses";
import type { KnownDevice } from "./known-device";
import { networksOf } from "./network-of";

/**
 * Slows down guessing. An account answers to 20 attempts an hour and, from its fifth failure, waits longer after each
 * one; a network has a bucket of its own, so that one caller cannot try a common password on every account, and for
 * IPv6 so has the site around it. Accounts are counted by what was typed, so that unknown people are throttled exactly as
 * known ones.
 * Nobody is locked out for good: every count ends with its window, a right password clears the account's, and the devices
 * from which the person signed in before are counted apart, all together, whatever strangers do.
 * It does not stop a guesser with many addresses and much time; the cost of a hash and the length of passwords do.
 */
const perAccount = { attempts: 20, windowMs: 60 * 60_000, slows: true };
/** An office behind one address signs in with few failures; successes do not count. */
const perNetwork = { attempts: 100, windowMs: 10 * 60_000, slows: false };
/** Whoever has a /48 has 65,536 networks: together they get as much as four. */
const perSite = { attempts: 400, windowMs: 10 * 60_000, slows: false };

type Attempt = {
  /** As typed, lower-case; null where nobody is named, so that only the address is counted. */
  email: string | null;
  /** How somebody comes who does not name themselves. */
  by?: "single sign-on" | "passkey";
  /** null outside Gancho's own server. */
  clientAddress: string | null;
  /** One that `email` is known on. */
  device?: KnownDevice | null;
};

/**
 * Counts the attempt before the password is looked at, so that many at once cannot slip past the count. Tell the
 * outcome with `recordFailure` or `recordSuccess`.
 */
export async function consume(db: Executor, attempt: Attempt, now = Date.now()): Promise<Turn> {
  if (attempt.device) return consumeFrom(db, deviceBucket(attempt.device), now);
  const taken: Bucket[] = [];
  for (const bucket of addressBuckets(attempt)) {
    const turn = await consumeFrom(db, bucket, now);
    if (!turn.allowed) {
      for (const narrower of taken) await refundTo(db, narrower);
      return turn;
    }
    taken.push(bucket);
  }
  if (attempt.email === null) return { allowed: true };
  const account = await consumeFrom(db, accountBucket(attempt.email), now);
  if (!account.allowed) for (const bucket of taken) await failIn(db, bucket, now);
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
  for (const bucket of addressBuckets(attempt)) await refundTo(db, bucket);
}

/** More than a person does, who signs in once or twice a day on each of a few devices. */
const signIns = { most: 30, seconds: 60 * 60 };

/**
 * Counts a sign-in that is about to succeed: each is an entry of the history. `person`: by whatever name, up to 64
 * characters. By network as well, so that whoever knows a password does not keep its person out elsewhere. Returns null,
 * or in how many seconds there may be another one.
 */
export async function countSignIn(
  db: Db,
  person: string,
  clientAddress: string | null,
): Promise<number | null> {
  const { network } = networksOf(clientAddress);
  return take(db, [{ key: `sign-ins of ${person} from ${network}`, ...signIns }]);
}

/** The password was not looked at after all. */
export async function refund(db: Executor, attempt: Attempt): Promise<void> {
  for (const bucket of bucketsOf(attempt)) await refundTo(db, bucket);
}

/** Where an attempt is counted. */
function bucketsOf(attempt: Attempt): Bucket[] {
  if (attempt.device) return [deviceBucket(attempt.device)];
  const addresses = addressBuckets(attempt);
  return attempt.email === null ? addresses : [...addresses, accountBucket(attempt.email)];
}

function accountBucket(email: string): Bucket {
  return { name: `account ${email}`, ...perAccount };
}

function deviceBucket({ id }: KnownDevice): Bucket {
  return { name: `device ${id}`, ...perAccount };
}

/** The narrowest first. Each way in is counted apart, so that guessing at one does not close the others. */
function addressBuckets({ clientAddress, email, by = "single sign-on" }: Attempt): Bucket[] {
  const { network, site } = networksOf(clientAddress);
  const from = email === null ? `${by} from` : "address";
  return [
    { name: `${from} ${network}`, ...perNetwork },
    ...(site === null ? [] : [{ name: `${from} ${site}`, ...perSite }]),
  ];
}
