import "server-only";
import { toleratedMs } from "@/lib/platform/database/clock";
import { hasPasskey } from "@/lib/platform/auth/second-factors";
import { env } from "@/lib/platform/env/env";
import { db as ownDb, type Db, type Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import { passwordAgainMs } from "@/lib/platform/auth/model/password-again";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Transaction } from "kysely";
import * as z from "zod";
import {
  checkPassword,
  type GivenPassword,
  type PasswordCheck,
} from "@/lib/platform/auth/sign-in/check-password";
import { clear, recordWrongGuess, inSeconds, consumeFrom } from "@/lib/platform/limits/limits";
import { checkPasskey } from "@/lib/platform/auth/passkeys/passkeys";
import { relyingParty } from "@/lib/platform/auth/passkeys/webauthn";
import type { Assertion } from "@/lib/platform/auth/model/passkey-response";
import type { Session } from "@/lib/platform/auth/sessions/sessions";
import { databaseTime } from "@/lib/platform/runtime/database-time";

/** How a person in an open session confirms their identity. */
export type Proof =
  | { by: "password"; given: GivenPassword }
  | { by: "passkey"; assertion: Assertion; asker: Caller }
  /** What the provider says of who signed in there just now, for a request of `begunAt`. */
  | {
      by: "provider";
      issuer: string;
      claims: Readonly<Record<string, unknown>>;
      begunAt: number;
      asker: Caller;
    };

/** The caller, for the history. */
type Caller = { requestId: string | null; clientAddress: string | null };

type Throttled = Extract<PasswordCheck, { outcome: "throttled" }>;

type StepUpResult =
  | Throttled
  | { outcome: "given" | "wrong" }
  /** The provider vouches for somebody else, or does not say that it was just now. */
  | { outcome: "other_account" | "not_fresh" }
  /** The person has no password, and there is nothing to check. */
  | { outcome: "no_password" }
  /** The signature was not for this session, was used, or has expired; or the session has ended. */
  | { outcome: "over" };

/**
 * Requires the person of a session to confirm their identity, which a stolen cookie cannot: with the password or a
 * passkey or, where the provider is the only way in, by signing in there anew. A recent sign-in does not count: whoever
 * stole the cookie has it too.
 */
export async function stepUp(
  db: Db,
  session: Pick<Session, "userId" | "idHash">,
  proof: Proof,
  { isDemo }: { isDemo: boolean },
): Promise<StepUpResult> {
  const now = databaseTime();
  const result = await check(db, session, proof, { isDemo, now });
  const { outcome } = result;
  const { requestId, clientAddress } = proof.by === "password" ? proof.given : proof.asker;
  const level = outcome === "given" ? "info" : "warn";
  log[level](
    { requestId, outcome, userId: session.userId, clientAddress, by: proof.by },
    "step-up",
  );
  return result;
}

async function check(
  db: Db,
  session: Pick<Session, "userId" | "idHash">,
  proof: Proof,
  { isDemo, now }: { isDemo: boolean; now: number },
): Promise<StepUpResult> {
  switch (proof.by) {
    case "password":
      return withPassword(db, session, proof.given, { isDemo, now });
    case "passkey":
      return withPasskey(db, session, proof, now);
    case "provider":
      return withProvider(db, session, proof, now);
  }
}

async function withPassword(
  db: Db,
  session: Pick<Session, "userId" | "idHash">,
  given: GivenPassword,
  { isDemo, now }: { isDemo: boolean; now: number },
): Promise<StepUpResult> {
  if (!(await hasPassword(db, session.userId))) return { outcome: "no_password" };
  const checked = await checkPassword(db, given, { isDemo, session });
  if (checked.outcome === "throttled") return checked;
  if (checked.outcome !== "right" || checked.userId !== session.userId) return { outcome: "wrong" };
  const noted = await recordStepUp(db, session, { reauthenticated_at: now });
  return { outcome: noted ? "given" : "over" };
}

/**
 * Neither a signature nor the provider's word is guessed; this bounds how many refusals one session writes into the
 * history, without keeping the person's other sessions from their step-up.
 */
const tries = { most: 20, seconds: 60 * 60, slows: true } as const;

/** Records a refusal in the history of the people. */
async function withPasskey(
  db: Db,
  session: Pick<Session, "userId" | "idHash">,
  { assertion, asker }: Extract<Proof, { by: "passkey" }>,
  now: number,
): Promise<StepUpResult> {
  const { userId, idHash } = session;
  const bucket = { key: `passkey in ${idHash}`, ...tries };
  const limit = await consumeFrom(db, bucket, now);
  if (!limit.allowed)
    return { outcome: "throttled", retryAfterSeconds: limit.retryAfterSeconds, userId };
  const checked = await checkPasskey(
    db,
    { assertion, purpose: "step_up", boundTo: idHash, userId },
    (trx) => recordStepUp(trx, session, { reauthenticated_at: now, passkey_at: now }),
    now,
  );
  if (checked.outcome === "over") return checked;
  if (checked.outcome === "right") {
    await clear(db, bucket);
    return { outcome: checked.result ? "given" : "over" };
  }
  const blockedSeconds = inSeconds(await recordWrongGuess(db, bucket, now));
  await recordRefusal(db, { userId, why: checked.why, blockedSeconds }, asker);
  return { outcome: "wrong" };
}

/** More than the two clocks differ; whoever signed in at the provider so shortly before counts, too. */
const providerClockMs = 30_000;

const confirmation = z.object({ sub: z.string(), auth_time: z.int() });

/**
 * The provider was asked to have the person sign in anew, but the request went through a browser, which could have left
 * that out. So its answer has to say when they did.
 */
async function withProvider(
  db: Db,
  session: Pick<Session, "userId" | "idHash">,
  { issuer, claims, begunAt, asker }: Extract<Proof, { by: "provider" }>,
  now: number,
): Promise<StepUpResult> {
  const { userId, idHash } = session;
  const bucket = { key: `provider in ${idHash}`, ...tries };
  const limit = await consumeFrom(db, bucket, now);
  if (!limit.allowed)
    return { outcome: "throttled", retryAfterSeconds: limit.retryAfterSeconds, userId };
  const { data } = confirmation.safeParse(claims);
  const signedInAt = (data?.auth_time ?? 0) * 1_000;
  const isFresh = signedInAt > begunAt - providerClockMs && signedInAt < now + providerClockMs;
  const why = !(await isLinked(db, { userId, issuer, subject: claims["sub"] }))
    ? "other_account"
    : isFresh
      ? null
      : "not_fresh";
  if (why === null) {
    await clear(db, bucket);
    return {
      outcome: (await recordStepUp(db, session, { reauthenticated_at: now })) ? "given" : "over",
    };
  }
  const blockedSeconds = inSeconds(await recordWrongGuess(db, bucket, now));
  await recordRefusal(db, { userId, why, blockedSeconds }, asker);
  return { outcome: why };
}

async function isLinked(
  db: Executor,
  { userId, issuer, subject }: { userId: string; issuer: string; subject: unknown },
): Promise<boolean> {
  if (typeof subject !== "string") return false;
  const link = await db
    .selectFrom("identities")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return link?.user_id === userId;
}

type Refusal = {
  userId: string;
  why:
    | "unknown_passkey"
    | "wrong_passkey"
    | "passkey_counter"
    | "disabled"
    | "other_account"
    | "not_fresh";
  blockedSeconds: number | null;
};

async function recordRefusal(
  db: Db,
  { userId, why, blockedSeconds }: Refusal,
  { requestId, clientAddress }: Caller,
): Promise<void> {
  await db.transaction().execute((trx) =>
    recordPerson(trx, {
      who: { id: userId },
      requestId,
      clientAddress,
      kind: "confirmation_refused",
      outcome: why,
      detail: { blockedSeconds },
    }),
  );
}

/** False where the session ended meanwhile. */
async function recordStepUp(
  db: Executor,
  { userId, idHash }: Pick<Session, "userId" | "idHash">,
  at: { reauthenticated_at: number; passkey_at?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set(at)
    .where("id_hash", "=", idHash)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records that a passkey was made in this session, which takes unlocking it, too. In the caller's transaction. */
export async function recordPasskeyIn(
  trx: Transaction<Database>,
  { idHash }: Pick<Session, "idHash">,
): Promise<void> {
  await trx
    .updateTable("sessions")
    .set({ passkey_at: databaseTime() })
    .where("id_hash", "=", idHash)
    .where("revoked_at", "is", null)
    .execute();
}

/** Whether the person confirmed their identity in this session within the last five minutes. */
export function isSteppedUp({ steppedUpAt }: Pick<Session, "steppedUpAt">, now: number): boolean {
  return isWithinStepUpWindow(steppedUpAt, now);
}

/** The same with a passkey, which also counts as a one-time code. */
export function isSteppedUpByPasskey(
  { passkeyAt }: Pick<Session, "passkeyAt">,
  now: number,
): boolean {
  return isWithinStepUpWindow(passkeyAt, now);
}

/** A clock that was set back must not make it last longer; other instances may be a little ahead. */
function isWithinStepUpWindow(at: number | null, now: number): boolean {
  return at !== null && at <= now + toleratedMs && now < at + passwordAgainMs;
}

/**
 * The methods with which a person can confirm it. The provider is one only where it is the only way in. Checks no
 * access.
 */
export async function stepUpWays(
  db: Executor,
  userId: string,
): Promise<{ password: boolean; passkey: boolean; provider: boolean }> {
  return {
    password: await hasPassword(db, userId),
    passkey: await hasPasskey(db, userId),
    provider: env().oidc?.isOnlyWay === true,
  };
}

/**
 * For actions that a stolen session must not allow: with a passkey where the person has one. A person with neither a
 * password nor a passkey confirms it by having signed in within the last five minutes. Throws `signed_out`,
 * `reauthentication_required` or `fresh_sign_in_required`.
 */
export async function requireStepUp({ session }: { session: Session | null }): Promise<void> {
  if (session) await requirePasskeyOfOwner(ownDb(), session);
  await requireAnyStepUp({ session });
}

/** The same, with the password even where the person has a passkey. */
export async function requireAnyStepUp(
  { session }: { session: Session | null },
  now = databaseTime(),
): Promise<void> {
  if (!session) throw new ProblemError("signed_out", { applied: "no" });
  if (isSteppedUp(session, now) || isSteppedUpByPasskey(session, now)) return;
  const { password, passkey, provider } = await stepUpWays(ownDb(), session.userId);
  if (password || passkey || provider)
    throw new ProblemError("reauthentication_required", { applied: "no" });
  if (!isWithinStepUpWindow(session.signedInAt, now))
    throw new ProblemError("fresh_sign_in_required", { applied: "no" });
}

/** What `requireStepUp` would ask for now; null where a step-up would change nothing. */
export async function neededStepUp(session: Session): Promise<"passkey" | "any" | null> {
  try {
    await requireStepUp({ session });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    if (thrown.code !== "reauthentication_required") return null;
    return thrown.init.extra?.["method"] === "passkey" ? "passkey" : "any";
  }
}

/**
 * A person who has a passkey confirms with one, because a password can be phished; throws `reauthentication_required`.
 * At an IP address nobody can, for browsers have no passkeys there.
 */
export async function requirePasskeyOfOwner(db: Executor, session: Session): Promise<void> {
  const isConfirmed = isSteppedUpByPasskey(session, databaseTime());
  if (isConfirmed || !relyingParty() || !(await hasPasskey(db, session.userId))) return;
  throw new ProblemError("reauthentication_required", {
    applied: "no",
    extra: { method: "passkey" },
  });
}

async function hasPassword(db: Executor, userId: string): Promise<boolean> {
  if (env().oidc?.isOnlyWay) return false;
  const person = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirst();
  return typeof person?.password_hash === "string";
}
