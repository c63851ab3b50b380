import "server-only";
import ipaddr from "ipaddr.js";
import type { Db, Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { tooMany } from "@/lib/platform/http/model/problem";
import {
  clear,
  take,
  recordWrongGuess,
  refundTo,
  inSeconds,
  consumeFrom,
  type Limit,
  type RateLimitResult,
} from "@/lib/platform/limits/limits";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { KnownDevice } from "./known-device";

/**
 * The networks in which one caller can choose addresses, the smallest first, for counts by client address. `network`:
 * an IPv4 address, or the /64 of an IPv6 host. `site`: the /48 of a site, in which a caller can use 65,536 networks
 * (RFC 6177); null for IPv4.
 */
function networksOf(address: string | null): { network: string; site: string | null } {
  if (address === null) return { network: "unknown", site: null };
  if (!ipaddr.isValid(address)) return { network: address, site: null };
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return { network: parsed.toString(), site: null };
  const groups = parsed.toNormalizedString().split(":");
  const prefix = (length: number) => `${groups.slice(0, length / 16).join(":")}::/${length}`;
  return { network: prefix(64), site: prefix(48) };
}

/**
 * What one caller may do: `most` in their network, and four times that in the site around it, whose owner has 65,536
 * networks.
 */
export function perCaller(
  what: string,
  address: string | null,
  { most, seconds }: { most: number; seconds: number },
): Limit[] {
  const { network, site } = networksOf(address);
  return [
    { key: `${what} ${network}`, most, seconds },
    ...(site === null ? [] : [{ key: `${what} ${site}`, most: 4 * most, seconds }]),
  ];
}

/**
 * Slows down guessing. An account allows 20 attempts an hour and, from its fifth failure, waits longer after each one;
 * each network has a separate bucket, so that one caller cannot try a common password on every account, and for IPv6 so
 * has the site around it. Counts accounts by the typed address, so that unknown people are throttled exactly as known
 * ones. Nobody is locked out for good: every count ends with its window, a correct password clears the account's, and
 * the devices from which the person signed in before are counted apart, all together, whatever strangers do. It does
 * not stop a guesser with many addresses and much time; the cost of a hash and the length of passwords do.
 */
const perAccount = { most: 20, seconds: 60 * 60, slows: true } as const;
/** An office behind one address signs in with few failures; successes do not count. */
const perNetwork = { most: 100, seconds: 10 * 60 };

type Attempt = {
  /** As typed, lower-case; null where no account is named, so that only the address is counted. */
  email: string | null;
  /** The method of a sign-in that names no account. */
  by?: "single sign-on" | "passkey";
  /** null outside Gancho's server. */
  clientAddress: string | null;
  /** A device that is known for `email`, or that person's open session: counted apart from strangers. */
  device?: KnownDevice | null;
};

/**
 * Counts the attempt before the password is checked, so that many at once cannot slip past the count. Report the
 * outcome with `recordFailure` or `recordSuccess`.
 */
export async function consume(
  db: Executor,
  attempt: Attempt,
  now = databaseTime(),
): Promise<RateLimitResult> {
  if (attempt.device) return consumeFrom(db, deviceBucket(attempt.device), now);
  const taken: Limit[] = [];
  for (const bucket of addressBuckets(attempt)) {
    const limit = await consumeFrom(db, bucket, now);
    if (!limit.allowed) {
      for (const narrower of taken) await refundTo(db, narrower);
      return limit;
    }
    taken.push(bucket);
  }
  if (attempt.email === null) return { allowed: true };
  const account = await consumeFrom(db, accountBucket(attempt.email), now);
  if (!account.allowed) for (const bucket of taken) await recordWrongGuess(db, bucket, now);
  return account;
}

/** Returns for how many seconds further attempts are refused; null where the next one is not. */
export async function recordFailure(
  db: Executor,
  attempt: Attempt,
  now = databaseTime(),
): Promise<number | null> {
  let wait = 0;
  for (const bucket of bucketsOf(attempt))
    wait = Math.max(wait, await recordWrongGuess(db, bucket, now));
  return inSeconds(wait);
}

/**
 * Resets the account, or the device alone; the address only gets this attempt back, else a guesser could reset it by
 * signing in. A known device does not reset the account's count: that belongs to strangers, who would get more guesses.
 */
export async function recordSuccess(db: Executor, attempt: Attempt): Promise<void> {
  if (attempt.device) return clear(db, deviceBucket(attempt.device));
  if (attempt.email !== null) await clear(db, accountBucket(attempt.email));
  for (const bucket of addressBuckets(attempt)) await refundTo(db, bucket);
}

declare const counted: unique symbol;

/**
 * A hash that was counted and may be made: without one, nothing is hashed. Only this file makes them, so that no caller
 * has hashes made without limit, not even with the right password. `line`: where it waits for its turn, with those of
 * `of`; strangers never delay people whose browser or session is known.
 */
export type CountedHash = {
  readonly [counted]: true;
  line: "known" | "strangers";
  of: string;
  limits: readonly Limit[];
};

type HashCount = Omit<CountedHash, typeof counted>;

function counting(count: HashCount): CountedHash {
  return count as CountedHash;
}

/** For programs at the operator's terminal, each a process of its own. */
export const hashOfProgram = counting({ line: "strangers", of: "program", limits: [] });

/** More than a person needs, who signs in once or twice a day on each of a few devices. */
const signIns = { most: 30, seconds: 60 * 60 };

/** A twentieth of what two processors hash; more than an office of thousands needs. */
const networkHashes = { most: 600, seconds: 10 * 60 };

/**
 * A sign-in's: by account and network, so that somebody who knows a password does not lock its person out elsewhere,
 * and by network; from a known browser by person alone.
 */
export function hashToSignIn({ email, clientAddress, device }: Attempt): HashCount {
  if (device) {
    const limits = [{ key: `sign-ins in known browsers ${device.id}`, ...signIns }];
    return { line: "known", of: device.id, limits };
  }
  const { network } = networksOf(clientAddress);
  const limits = [
    { key: `sign-ins of ${email} from ${network}`, ...signIns },
    ...perCaller("hashes for", clientAddress, networkHashes),
  ];
  return { line: "strangers", of: network, limits };
}

/** That of a person in an open session, who confirms or changes their password: as many an hour as changes. */
export function hashInSession(userId: string): HashCount {
  const limit = {
    key: `hashes in sessions of ${userId}`,
    most: env().changeLimit,
    seconds: 60 * 60,
  };
  return { line: "known", of: userId, limits: [limit] };
}

/** Counts a hash before it is made; no success takes it back. A number: in how many seconds another one is possible. */
export async function countHash(
  db: Db,
  count: HashCount,
  now = databaseTime(),
): Promise<CountedHash | number> {
  return (await take(db, count.limits, now)) ?? counting(count);
}

/** As `countHash`. Throws `too_many_requests`. */
export async function requireHash(db: Db, count: HashCount): Promise<CountedHash> {
  const hash = await countHash(db, count);
  if (typeof hash === "number") throw tooMany(hash);
  return hash;
}

/** Takes it back: it was not made, since too many waited. */
export async function refundHash(db: Executor, { limits }: CountedHash): Promise<void> {
  for (const limit of limits) await refundTo(db, limit);
}

/**
 * Counts the hash of a new password that somebody sets by a one-time link: by network, together with those who sign in
 * there, and by link. `link`: anything that names it, or its person. Throws `too_many_requests`.
 */
export async function countLinkUse(
  db: Executor,
  link: string,
  clientAddress: string | null,
): Promise<CountedHash> {
  // In capitals, which no typed address has: nobody can use up the attempts of another's link by signing in.
  const limit = await consume(db, { email: `LINK ${link}`, clientAddress });
  if (!limit.allowed) throw tooMany(limit.retryAfterSeconds);
  return counting({ line: "strangers", of: networksOf(clientAddress).network, limits: [] });
}

/**
 * Counts a sign-in that takes no hash and is about to succeed: each is an entry of the history. `person`: any id of up
 * to 64 characters. Counts by network as well, so that somebody who can sign in as a person does not lock them out
 * elsewhere. Returns null, or in how many seconds another one is possible.
 */
export async function countSignIn(
  db: Db,
  person: string,
  clientAddress: string | null,
): Promise<number | null> {
  const { network } = networksOf(clientAddress);
  return take(db, [{ key: `sign-ins of ${person} from ${network}`, ...signIns }]);
}

/** Takes the attempt back: the password was not checked after all. */
export async function refund(db: Executor, attempt: Attempt): Promise<void> {
  for (const bucket of bucketsOf(attempt)) await refundTo(db, bucket);
}

/** Where an attempt is counted. */
function bucketsOf(attempt: Attempt): Limit[] {
  if (attempt.device) return [deviceBucket(attempt.device)];
  const addresses = addressBuckets(attempt);
  return attempt.email === null ? addresses : [...addresses, accountBucket(attempt.email)];
}

function accountBucket(email: string): Limit {
  return { key: `account ${email}`, ...perAccount };
}

function deviceBucket({ id }: KnownDevice): Limit {
  return { key: `device ${id}`, ...perAccount };
}

/** The narrowest first. Each method is counted apart, so that guessing at one does not close the others. */
function addressBuckets({ clientAddress, email, by = "single sign-on" }: Attempt): Limit[] {
  return perCaller(email === null ? `${by} from` : "address", clientAddress, perNetwork);
}
