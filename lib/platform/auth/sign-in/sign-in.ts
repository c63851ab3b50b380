import "server-only";
import { codesSetUpAt } from "@/lib/platform/auth/second-factors";
import type { Db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import type { Transaction } from "kysely";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import {
  checkPassword,
  normalEmail,
  type GivenPassword,
  type PasswordCheck,
} from "./check-password";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { startPendingSignIn } from "./pending-sign-in";
import {
  entryBy,
  startSignedIn,
  type Proven,
  type SignInSuccess,
} from "@/lib/platform/auth/sessions/signed-in";

type SignInRequest = GivenPassword & SignInContext;

export type SignInResult =
  | SignInSuccess
  /** The password was correct; a code is needed before anybody is signed in. `pendingId` is for this browser alone. */
  | { outcome: "code_required"; userId: string; pendingId: string }
  | Exclude<PasswordCheck, { outcome: "right" }>;

/** Checks a password and starts a session, or requires a code. Only the demo accepts the demo's password. */
export async function signIn(
  db: Db,
  request: SignInRequest,
  isDemo: boolean,
): Promise<SignInResult> {
  const result = await attempt(db, request, isDemo);
  const { outcome } = result;
  const userId = "userId" in result ? result.userId : null;
  const { requestId, clientAddress } = request;
  const isIn = outcome === "signed_in" || outcome === "code_required";
  log[isIn ? "info" : "warn"]({ requestId, outcome, userId, clientAddress }, "sign-in");
  return result;
}

async function attempt(db: Db, request: SignInRequest, isDemo: boolean): Promise<SignInResult> {
  for (;;) {
    const checked = await checkPassword(db, request, { isDemo, session: null });
    if (checked.outcome !== "right") return checked;
    const result = await afterPassword(db, checked, request);
    // If the password changed during the check, it has to be the new one.
    if (result) return result;
  }
}

type Right = Extract<PasswordCheck, { outcome: "right" }>;

/** null: the password has changed by now, and the old one must not sign in. */
async function afterPassword(
  db: Db,
  { userId, name, passwordHash, knownBrowser }: Right,
  request: SignInRequest,
): Promise<SignInResult | null> {
  const email = normalEmail(request.email);
  return db.transaction().execute(async (trx) => {
    const now = await lockPerson(trx, userId);
    const person = { userId, name, email, generation: now.credentials_generation, knownBrowser };
    if (now.password_hash !== passwordHash || now.disabled_at !== null) return null;
    return (await codesSetUpAt(trx, userId)) === null
      ? startSignedIn(trx, person, { by: "password", code: null, recoveryCodesLeft: null }, request)
      : requireCode(trx, person, request);
  });
}

/** Records that a password was correct even if no code follows: somebody else may know it. */
async function requireCode(
  trx: Transaction<Database>,
  person: Proven,
  caller: SignInContext,
): Promise<SignInResult> {
  const { userId, knownBrowser } = person;
  const pendingId = await startPendingSignIn(trx, userId);
  await recordPerson(trx, {
    ...entryBy(person, caller),
    kind: "sign_in_begun",
    outcome: null,
    detail: { knownBrowser, ...parseUserAgent(caller.userAgent) },
  });
  return { outcome: "code_required", userId, pendingId };
}
