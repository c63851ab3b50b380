import "server-only";
import type { Db } from "@/lib/platform/database/open";
import type { LockedPerson } from "@/lib/platform/database/row-locks";
import type { Database } from "@/lib/platform/database/tables";
import { take } from "@/lib/platform/limits/limits";
import { recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import { newToken } from "@/lib/platform/auth/one-time-token";
import type { Transaction } from "kysely";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import { knownDevice } from "@/lib/platform/auth/sign-in/known-device";
import {
  perCaller,
  countSignIn,
  recordFailure,
  recordSuccess,
  consume,
} from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { startSignedIn, type SignInSuccess } from "@/lib/platform/auth/sessions/signed-in";
import { acceptPasskey, verifyPasskey, type Passkey, type PasskeyCheck } from "./passkeys";
import type { Assertion } from "@/lib/platform/auth/model/passkey-response";
import type { RequestOptions } from "@/lib/platform/auth/model/passkey-options";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { askForPasskey } from "./webauthn";

/** Anybody may request one, and every visit to the sign-in page does; this bounds how many rows one caller makes. */
const challenges = { most: 300, seconds: 600 };

/**
 * The challenge with which a passkey signs its person in: it names nobody, so it reveals no account. `boundTo` is for
 * the browser to keep, and for the next step. Throws `passkeys_unavailable`.
 */
export async function beginPasskeySignIn(
  db: Db,
  { clientAddress }: Pick<SignInContext, "clientAddress">,
  now = databaseTime(),
): Promise<
  | { outcome: "begun"; options: RequestOptions; boundTo: string }
  | { outcome: "throttled"; retryAfterSeconds: number }
> {
  const wait = await take(db, perCaller("passkey challenges", clientAddress, challenges));
  if (wait !== null) return { outcome: "throttled", retryAfterSeconds: wait };
  const boundTo = newToken();
  const options = await askForPasskey(db, { purpose: "sign_in", boundTo, known: null }, now);
  return { outcome: "begun", options, boundTo };
}

type PasskeySignIn = SignInContext & {
  assertion: Assertion;
  /** The browser's cookie of `beginPasskeySignIn`. */
  boundTo: string | undefined;
  /** The browser's cookie of an earlier sign-in. */
  device: string | undefined;
};

export type PasskeySignInResult =
  | SignInSuccess
  /** To be begun again: it took too long, was used, or was begun in another browser. */
  | { outcome: "over" }
  /** An unknown passkey, a wrong signature, a person without access: one answer. */
  | { outcome: "refused" }
  | { outcome: "throttled"; retryAfterSeconds: number };

/**
 * Signs in the owner of the passkey that signed. It is two factors in one, the device and what unlocks it, so no
 * one-time code is required.
 */
export async function checkPasskeySignIn(
  db: Db,
  request: PasskeySignIn,
  now = databaseTime(),
): Promise<PasskeySignInResult> {
  const result = await attempt(db, request, now);
  const { outcome } = result;
  const userId = "userId" in result ? result.userId : null;
  const { requestId, clientAddress } = request;
  log.info({ requestId, outcome, userId, clientAddress }, "sign-in with a passkey");
  return result;
}

async function attempt(db: Db, request: PasskeySignIn, now: number): Promise<PasskeySignInResult> {
  const { assertion, boundTo, clientAddress } = request;
  if (boundTo === undefined) return { outcome: "over" };
  const counted = { email: null, by: "passkey", clientAddress } as const;
  const limit = await consume(db, counted, now);
  if (!limit.allowed) return { outcome: "throttled", retryAfterSeconds: limit.retryAfterSeconds };
  const given = { assertion, boundTo, purpose: "sign_in", userId: null } as const;
  const signed = await verifyPasskey(db, given, now);
  if (signed.outcome === "signed") {
    // Right, but each sign-in is an entry of the history.
    const wait = await countSignIn(db, signed.passkey.userId, clientAddress);
    if (wait !== null) {
      await recordSuccess(db, counted);
      return { outcome: "throttled", retryAfterSeconds: wait };
    }
  }
  const checked =
    signed.outcome === "signed"
      ? await acceptPasskey(
          db,
          signed,
          (trx, owner) => startSessionOf(trx, signed.passkey, owner, request, now),
          now,
        )
      : signed;
  if (checked.outcome === "right") {
    await recordSuccess(db, counted);
    return checked.result;
  }
  const blockedSeconds = await recordFailure(db, counted, now);
  if (checked.outcome === "over") return { outcome: "over" };
  await recordRefusal(db, checked, blockedSeconds, request);
  return { outcome: "refused" };
}

async function startSessionOf(
  trx: Transaction<Database>,
  { userId }: Passkey,
  { name, email, credentials_generation: generation }: LockedPerson,
  request: PasskeySignIn,
  now: number,
): Promise<SignInSuccess> {
  const knownBrowser = knownDevice(request.device, { email, generation }, now) !== null;
  const person = { userId, name, email, generation, knownBrowser };
  const how = { by: "passkey", code: null, recoveryCodesLeft: null } as const;
  return startSignedIn(trx, person, how, request);
}

async function recordRefusal(
  db: Db,
  { why, userId }: Extract<PasskeyCheck<unknown>, { outcome: "refused" }>,
  blockedSeconds: number | null,
  caller: SignInContext,
): Promise<void> {
  const owner = db
    .selectFrom("users")
    .select(["id", "name"])
    .where("id", "=", userId ?? "");
  const who = (await owner.executeTakeFirst()) ?? null;
  const { requestId, clientAddress } = caller;
  await db.transaction().execute((trx) =>
    recordPerson(trx, {
      who,
      requestId,
      clientAddress,
      kind: "sign_in_refused",
      outcome: why,
      detail: { failure: null, blockedSeconds, ...parseUserAgent(caller.userAgent) },
    }),
  );
}
