import "server-only";
import type { Db } from "@/lib/db/open";
import { recordPerson } from "@/lib/history/record-person";
import { log } from "@/lib/log";
import { browserIn, type Caller } from "./caller";
import {
  checkPassword,
  normalEmail,
  type GivenPassword,
  type PasswordCheck,
} from "./check-password";
import { knownDevice } from "./known-device";
import { codesSetUpAt } from "./one-time-codes";
import { startPendingSignIn } from "./pending-sign-in";
import { clearOldSessions } from "./sessions";
import { entryBy, startSignedIn, type Proven, type SignedIn } from "./signed-in";

export type SignInRequest = GivenPassword & Caller;

export type SignInResult =
  | SignedIn
  /** The password was right; nobody is signed in before a code is, too. `pendingId` is for this browser alone. */
  | { outcome: "code_required"; userId: string; pendingId: string }
  | Exclude<PasswordCheck, { outcome: "right" }>;

/** Checks a password and starts a session, or asks for a code. Only the demo accepts the demo's password. */
export async function signIn(
  db: Db,
  request: SignInRequest,
  isDemo: boolean,
): Promise<SignInResult> {
  const result = await attempt(db, request, isDemo);
  const { outcome } = result;
  const userId = "userId" in result ? result.userId : null;
  const { requestId, clientAddress } = request;
  log.info({ requestId, outcome, userId, clientAddress }, "sign-in");
  return result;
}

async function attempt(db: Db, request: SignInRequest, isDemo: boolean): Promise<SignInResult> {
  const checked = await checkPassword(db, request, { isDemo, to: "sign_in" });
  if (checked.outcome !== "right") return checked;
  const { userId, name } = checked;
  const email = normalEmail(request.email);
  const knownBrowser = knownDevice(request.device, email) !== null;
  const person = { userId, name, email, knownBrowser };
  if ((await codesSetUpAt(db, userId)) !== null) return askForCode(db, person, request);
  const signedIn = await db
    .transaction()
    .execute((trx) => startSignedIn(trx, person, { code: null, recoveryCodesLeft: null }, request));
  await clearOldSessions(db);
  return signedIn;
}

/** That a password was right stands in the history also where nobody comes with a code: somebody else may know it. */
async function askForCode(db: Db, person: Proven, caller: Caller): Promise<SignInResult> {
  const { userId, knownBrowser } = person;
  const pendingId = await db.transaction().execute(async (trx) => {
    const id = await startPendingSignIn(trx, userId);
    await recordPerson(trx, {
      ...entryBy(person, caller),
      kind: "sign_in_begun",
      outcome: null,
      detail: { knownBrowser, ...browserIn(caller) },
    });
    return id;
  });
  return { outcome: "code_required", userId, pendingId };
}
