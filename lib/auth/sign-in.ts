import "server-only";
import type { Db } from "@/lib/db/open";
import { log } from "@/lib/log";
import {
  checkPassword,
  normalEmail,
  type GivenPassword,
  type PasswordCheck,
} from "./check-password";
import { knownDevice, rememberDevice } from "./known-device";
import { checkCode, codesSetUpAt, type CodeCheck } from "./one-time-codes";
import { endPendingSignIn, startPendingSignIn, takeUpSignIn } from "./pending-sign-in";
import { clearOldSessions, startSession, type Origin } from "./sessions";

export type SignInRequest = GivenPassword & { userAgent: string | null };

/** `device`: for the browser to keep. */
type SignedIn = { outcome: "signed_in"; userId: string; sessionId: string; device: string };

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
  log.info({ outcome, userId, clientAddress: request.clientAddress }, "sign-in");
  return result;
}

async function attempt(db: Db, request: SignInRequest, isDemo: boolean): Promise<SignInResult> {
  const checked = await checkPassword(db, request, isDemo);
  if (checked.outcome !== "right") return checked;
  const { userId } = checked;
  if ((await codesSetUpAt(db, userId)) === null)
    return start(db, { userId, email: normalEmail(request.email) }, request);
  const pendingId = await startPendingSignIn(db, userId);
  return { outcome: "code_required", userId, pendingId };
}

async function start(
  db: Db,
  { userId, email }: { userId: string; email: string },
  origin: Origin,
): Promise<SignedIn> {
  const sessionId = await startSession(db, userId, origin);
  await clearOldSessions(db);
  return { outcome: "signed_in", userId, sessionId, device: rememberDevice(email) };
}

export type CodeRequest = Origin & {
  /** What this browser was given with `code_required`. */
  pendingId: string | undefined;
  /** As typed: a one-time code, or a recovery code. */
  code: string;
  /** What the browser kept of an earlier sign-in. */
  device: string | undefined;
};

export type CodeResult =
  | SignedIn
  /** The password has to be given again: too late, too many tries, or another browser. */
  | { outcome: "over" }
  | Exclude<CodeCheck, { outcome: "right" }>;

/** The second step: a code of the person whose password this browser gave. */
export async function completeSignIn(
  db: Db,
  request: CodeRequest,
  now = Date.now(),
): Promise<CodeResult> {
  const { clientAddress } = request;
  const pending =
    request.pendingId === undefined ? null : await takeUpSignIn(db, request.pendingId, now);
  if (!pending) {
    log.info({ outcome: "over", clientAddress }, "sign-in code");
    return { outcome: "over" };
  }
  const { userId, email } = pending;
  const device = knownDevice(request.device, email, now);
  const checked = await checkCode(db, { userId, code: request.code, device }, now);
  log.info({ ...checked, userId, clientAddress }, "sign-in code");
  if (checked.outcome !== "right") return checked;
  if (!(await endPendingSignIn(db, pending))) return { outcome: "over" };
  return start(db, pending, request);
}
