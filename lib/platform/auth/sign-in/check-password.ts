import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { recordPerson } from "@/lib/history/server/record/record";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import { env } from "@/lib/platform/env/env";
import { demoPassword } from "@/lib/platform/env/mode";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { knownDevice } from "./known-device";
import { verifyPassword } from "@/lib/platform/auth/passwords/password-hash";
import { normalisePassword, passwordLength } from "@/lib/platform/auth/passwords/password-rules";
import type { Session } from "@/lib/platform/auth/sessions/sessions";
import {
  consume,
  countHash,
  hashInSession,
  hashToSignIn,
  recordFailure,
  recordSuccess,
  refund,
  refundHash,
  type CountedHash,
} from "./sign-in-throttle";

export type GivenPassword = {
  /** As typed. */
  email: string;
  password: string;
  requestId: string | null;
  clientAddress: string | null;
  /** As the browser sent it. */
  userAgent?: string | null | undefined;
  /** The browser's mark of an earlier sign-in (known-device.ts). */
  device?: string | undefined;
};

export type PasswordCheck =
  /** `passwordHash`: the one that was checked, to detect a change meanwhile. */
  | {
      outcome: "right";
      userId: string;
      name: string;
      passwordHash: string | null;
      /** The person had signed in in this browser before. */
      knownBrowser: boolean;
    }
  /** Unknown person, wrong password, disabled person: the same answer after the same time. */
  | { outcome: "refused"; userId: string | null }
  /** `userId`: the account that was tried; for the log, never for an answer. */
  | { outcome: "throttled"; retryAfterSeconds: number; userId: string | null };

/**
 * The only check of passwords, so that every guess is counted and in the history, wherever it is made. `session`: the
 * open one of the person who confirms their password, null for a sign-in. Guesses in it are counted by session, so that
 * neither strangers nor the thief of another session keep the person from confirming. Only the demo accepts the demo's
 * password. Throws `not_found` where passwords are off.
 */
export async function checkPassword(
  db: Db,
  given: GivenPassword,
  { isDemo, session }: { isDemo: boolean; session: Pick<Session, "userId" | "idHash"> | null },
): Promise<PasswordCheck> {
  if (env().oidc?.isOnlyWay) throw new ProblemError("not_found", { applied: "no" });
  const email = normalEmail(given.email);
  const user = await findUser(db, email);
  const device = knownDevice(given.device, { email, generation: user?.generation ?? 0 });
  const apart = session ? { id: `session ${session.userId} ${session.idHash}` } : device;
  const counted = { email, clientAddress: given.clientAddress, device: apart };
  const limit = await consume(db, counted);
  const throttled = (retryAfterSeconds: number) =>
    ({ outcome: "throttled", retryAfterSeconds, userId: user?.id ?? null }) as const;
  if (!limit.allowed) return throttled(limit.retryAfterSeconds);
  const hash = await countHash(db, session ? hashInSession(session.userId) : hashToSignIn(counted));
  if (typeof hash === "number") {
    await refund(db, counted);
    return throttled(hash);
  }
  const right = await check(user?.password_hash ?? null, given, hash);
  if (typeof right !== "boolean") {
    await refundHash(db, hash);
    await refund(db, counted);
    return throttled(right.busySeconds);
  }
  const barred =
    user?.disabled_at !== null || (!isDemo && normalisePassword(given.password) === demoPassword);
  if (!user || !right || barred) {
    const blockedSeconds = await recordFailure(db, counted);
    const to = session ? "confirm" : "sign_in";
    await recordRefusal(db, given, { to, user: user ?? null, blockedSeconds });
    return { outcome: "refused", userId: user?.id ?? null };
  }
  await recordSuccess(db, counted);
  const knownBrowser = device !== null;
  const { id: userId, name, password_hash: passwordHash } = user;
  return { outcome: "right", userId, name, passwordHash, knownBrowser };
}

/** As the database stores an address. No stored one has control characters, and PostgreSQL rejects a zero byte. */
export function normalEmail(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replace(/\p{Cc}/gu, "\ufffd")
    .slice(0, 320);
}

type User = {
  id: string;
  name: string;
  password_hash: string | null;
  disabled_at: number | null;
  generation: number;
};

async function findUser(db: Db, email: string): Promise<User | undefined> {
  return db
    .selectFrom("users")
    .select(["id", "name", "password_hash", "disabled_at", "credentials_generation as generation"])
    .where("email", "=", email)
    .executeTakeFirst();
}

type Refusal = { to: "sign_in" | "confirm"; user: User | null; blockedSeconds: number | null };

/**
 * In another transaction than the count, whose rows others lock in another order. Does the same work whether the person
 * exists or not, and records nothing of the typed address, which may be anything, even a password.
 */
async function recordRefusal(
  db: Db,
  { requestId, clientAddress, userAgent = null }: GivenPassword,
  { to, user, blockedSeconds }: Refusal,
): Promise<void> {
  const entry = { who: user, requestId, clientAddress, outcome: whyRefused(user) };
  const browser = parseUserAgent(userAgent);
  await db.transaction().execute((trx) =>
    recordPerson(
      trx,
      to === "confirm"
        ? { ...entry, kind: "confirmation_refused", detail: { blockedSeconds } }
        : {
            ...entry,
            kind: "sign_in_refused",
            detail: { failure: null, blockedSeconds, ...browser },
          },
    ),
  );
}

function whyRefused(user: User | null): string {
  if (!user) return "unknown_person";
  if (user.disabled_at !== null) return "disabled";
  return user.password_hash === null ? "no_password" : "wrong_password";
}

/** `busySeconds`: too many wait already, and when to come back. */
async function check(
  passwordHash: string | null,
  { password }: GivenPassword,
  hash: CountedHash,
): Promise<boolean | { busySeconds: number }> {
  // No password that long was ever set; its beginning costs the same time as any other.
  const typed = password.slice(0, 2 * passwordLength.max);
  try {
    return await verifyPassword(passwordHash, typed, hash);
  } catch (error) {
    const wait = error instanceof ProblemError ? error.init.retryAfter : undefined;
    if (wait === undefined) throw error;
    return { busySeconds: wait };
  }
}
