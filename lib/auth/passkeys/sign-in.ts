import "server-only";
import type { Db, Executor } from "@/lib/db/open";
import { recordPerson } from "@/lib/history/record-person";
import { log } from "@/lib/log";
import { newToken } from "@/lib/one-time-token";
import { browserIn, type Caller } from "../caller";
import { takeTurnIn, type Turn } from "../guess-throttle";
import { deviceOwner, knownDevice } from "../known-device";
import { networksOf } from "../network-of";
import { clearOldSessions } from "../sessions";
import { recordFailure, recordSuccess, takeTurn } from "../sign-in-throttle";
import { startSignedIn, type SignedIn } from "../signed-in";
import { checkPasskey, type PasskeyCheck } from "./passkeys";
import type { Assertion } from "./response";
import { askForPasskey, type RequestOptions } from "./webauthn";

/** Anybody may ask for one; this bounds how many rows one caller makes. */
const challenges = { attempts: 300, windowMs: 10 * 60_000, slows: false };

/**
 * What a passkey has to sign to sign its person in, whoever that is: nobody is named, so nobody's existence is told.
 * `holder` is for the browser to keep, and for the next step. Throws `passkeys_unavailable`.
 */
export async function beginPasskeySignIn(
  db: Executor,
  { clientAddress }: Pick<Caller, "clientAddress">,
  now = Date.now(),
): Promise<
  | { outcome: "begun"; options: RequestOptions; holder: string }
  | (Extract<Turn, { allowed: false }> & { outcome: "throttled" })
> {
  const network = networksOf(clientAddress).network;
  const bucket = { name: `passkey challenges ${network}`, ...challenges };
  const turn = await takeTurnIn(db, bucket, now);
  if (!turn.allowed) return { outcome: "throttled", ...turn };
  const holder = newToken();
  const options = await askForPasskey(db, { purpose: "sign_in", holder, known: null }, now);
  return { outcome: "begun", options, holder };
}

type PasskeySignIn = Caller & {
  assertion: Assertion;
  /** What this browser kept of `beginPasskeySignIn`. */
  holder: string | undefined;
  /** What it kept of an earlier sign-in. */
  device: string | undefined;
};

export type PasskeySignInResult =
  | SignedIn
  /** To be begun again: it took too long, was used, or was begun in another browser. */
  | { outcome: "passkey_over" }
  /** No passkey of anybody's here, a wrong signature, a person without access: one answer. */
  | { outcome: "refused" }
  | { outcome: "throttled"; retryAfterSeconds: number };

/**
 * Signs the person in whose passkey signed. It is two factors in one, what they have and what unlocks it, so no
 * one-time code is asked for.
 */
export async function signInWithPasskey(
  db: Db,
  request: PasskeySignIn,
  now = Date.now(),
): Promise<PasskeySignInResult> {
  const result = await attempt(db, request, now);
  const { outcome } = result;
  const userId = "userId" in result ? result.userId : null;
  const { requestId, clientAddress } = request;
  log.info({ requestId, outcome, userId, clientAddress }, "sign-in with a passkey");
  return result;
}

async function attempt(db: Db, request: PasskeySignIn, now: number): Promise<PasskeySignInResult> {
  const { assertion, holder, clientAddress } = request;
  if (holder === undefined) return { outcome: "passkey_over" };
  const counted = { email: null, clientAddress };
  const turn = await takeTurn(db, counted, now);
  if (!turn.allowed) return { outcome: "throttled", retryAfterSeconds: turn.retryAfterSeconds };
  const given = { assertion, holder, purpose: "sign_in", userId: null } as const;
  const checked = await checkPasskey(
    db,
    given,
    async (trx, { passkey: { userId } }) => {
      const { name } = await findPerson(trx, userId);
      const owner = await deviceOwner(trx, userId);
      const knownBrowser = knownDevice(request.device, owner, now) !== null;
      const person = { userId, name, ...owner, knownBrowser };
      const how = { by: "passkey", code: null, recoveryCodesLeft: null } as const;
      return startSignedIn(trx, person, how, request);
    },
    now,
  );
  if (checked.outcome === "right") {
    await recordSuccess(db, counted);
    await clearOldSessions(db);
    return checked.result;
  }
  const blockedSeconds = await recordFailure(db, counted, now);
  if (checked.outcome === "over") return { outcome: "passkey_over" };
  await recordRefusal(db, checked, blockedSeconds, request);
  return { outcome: "refused" };
}

async function findPerson(db: Executor, userId: string) {
  return db
    .selectFrom("users")
    .select(["id", "name", "email"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

async function recordRefusal(
  db: Db,
  { why, userId }: Extract<PasskeyCheck<unknown>, { outcome: "refused" }>,
  blockedSeconds: number | null,
  caller: Caller,
): Promise<void> {
  const who = userId === null ? null : await findPerson(db, userId);
  const { requestId, clientAddress } = caller;
  await db.transaction().execute((trx) =>
    recordPerson(trx, {
      who,
      requestId,
      clientAddress,
      kind: "sign_in_refused",
      outcome: why,
      detail: { reason: null, blockedSeconds, ...browserIn(caller) },
    }),
  );
}
