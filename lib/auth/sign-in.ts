import "server-only";
import type { Db } from "@/lib/db/open";
import { log } from "@/lib/log";
import {
  checkPassword,
  normalEmail,
  type GivenPassword,
  type PasswordCheck,
} from "./check-password";
import { rememberDevice } from "./known-device";
import { clearOldSessions, startSession } from "./sessions";

export type SignInRequest = GivenPassword & { userAgent: string | null };

export type SignInResult =
  /** `device`: for the browser to keep. */
  | { outcome: "signed_in"; userId: string; sessionId: string; device: string }
  | Exclude<PasswordCheck, { outcome: "right" }>;

/** Checks a password and starts a session. Only the demo accepts the demo's password. */
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
  const sessionId = await startSession(db, userId, request);
  await clearOldSessions(db);
  const device = rememberDevice(normalEmail(request.email));
  return { outcome: "signed_in", userId, sessionId, device };
}
