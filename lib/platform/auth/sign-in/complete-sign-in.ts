import "server-only";
import type { PasskeySignInResult } from "@/lib/platform/auth/passkeys/sign-in";
import {
  forget,
  keep,
  keepSession,
  readCookie,
} from "@/lib/platform/auth/sessions/browser-cookies";
import { currentSignInContext, replaceCurrentSession } from "@/lib/platform/auth/sessions/sign-out";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { ProblemError, tooMany } from "@/lib/platform/http/model/problem";
import type { SignInResult } from "./sign-in";
import type { Db } from "@/lib/platform/database/open";
import { recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import { knownDevice } from "./known-device";
import { checkCode, type CodeCheck } from "@/lib/platform/auth/codes/one-time-codes";
import { endPendingSignIn, countCodeAttempt, type PendingSignIn } from "./pending-sign-in";
import { recoveryCodesLeft } from "@/lib/platform/auth/codes/recovery-codes";
import {
  entryBy,
  startSignedIn,
  type Proven,
  type SignInSuccess,
} from "@/lib/platform/auth/sessions/signed-in";
import { databaseTime } from "@/lib/platform/runtime/database-time";

type Result = SignInResult | CodeResult | PasskeySignInResult;

/**
 * Answers one step of signing in, by password, code or passkey: `{"outcome": "signed_in"}` with the cookie of the
 * session, or `"code_required"`. Throws `sign_in_refused`, `sign_in_over` or `too_many_requests`.
 */
export async function answerSignIn(
  requestId: string,
  attempt: (browser: SignInContext & { device: string | undefined }) => Promise<Result>,
): Promise<Response> {
  const context = await currentSignInContext(requestId);
  const result = await attempt({ ...context, device: await readCookie("device") });
  switch (result.outcome) {
    case "signed_in": {
      await replaceCurrentSession(context);
      const answer = Response.json({ outcome: "signed_in" });
      keepSession(answer, result.sessionId);
      keep(answer, "device", result.device);
      forget(answer, "code");
      forget(answer, "passkey");
      return answer;
    }
    case "code_required": {
      const answer = Response.json({ outcome: "code_required" });
      keep(answer, "code", result.pendingId);
      return answer;
    }
    case "throttled":
      throw tooMany(result.retryAfterSeconds);
    case "over":
      throw new ProblemError("sign_in_over", { applied: "no" });
    case "refused":
      throw new ProblemError("sign_in_refused", { applied: "no" });
  }
}

type CodeRequest = SignInContext & {
  /** The id that this browser got with `code_required`. */
  pendingId: string | undefined;
  /** As typed: a one-time code, or a recovery code. */
  code: string;
  /** The browser's mark of an earlier sign-in. */
  device: string | undefined;
};

export type CodeResult =
  | SignInSuccess
  /** The password is required again: too late, too many tries, or another browser. */
  | { outcome: "over" }
  | { outcome: "refused" }
  | Extract<CodeCheck<unknown>, { outcome: "throttled" }>;

/** The second step: a code of the person whose password this browser gave. */
export async function completeSignIn(
  db: Db,
  request: CodeRequest,
  now = databaseTime(),
): Promise<CodeResult> {
  const pending =
    request.pendingId === undefined ? null : await countCodeAttempt(db, request.pendingId, now);
  const result = pending ? await secondStep(db, pending, request, now) : over;
  const { outcome } = result;
  const userId = pending?.userId ?? null;
  const { requestId, clientAddress } = request;
  const level = outcome === "signed_in" ? "info" : "warn";
  log[level]({ requestId, outcome, userId, clientAddress }, "sign-in code");
  return result;
}

const over = { outcome: "over" } as const;

async function secondStep(
  db: Db,
  pending: PendingSignIn,
  request: CodeRequest,
  now: number,
): Promise<CodeResult> {
  const { userId } = pending;
  const { code } = request;
  const device = knownDevice(request.device, pending, now);
  const person = { ...pending, knownBrowser: device !== null };
  const checked = await checkCode(
    db,
    { userId, code, device },
    async (trx, kind) => {
      if (!(await endPendingSignIn(trx, pending))) throw new AlreadyUsed();
      const left = kind === "recovery_code" ? await recoveryCodesLeft(trx, userId) : null;
      const given = { by: "password", code: kind, recoveryCodesLeft: left } as const;
      return startSignedIn(trx, person, given, request);
    },
    now,
  ).catch((error: unknown) => {
    if (error instanceof AlreadyUsed) return over;
    throw error;
  });
  if (checked.outcome === "right") return checked.result;
  if (checked.outcome !== "wrong") return checked;
  await recordWrongCode(db, person, checked.blockedSeconds, request);
  return { outcome: "refused" };
}

/**
 * Another request has signed in from the same pending sign-in. Rolls the transaction back, so that the code is not used
 * up.
 */
class AlreadyUsed extends Error {
  override readonly name: string = "AlreadyUsed";
}

async function recordWrongCode(
  db: Db,
  person: Proven,
  blockedSeconds: number | null,
  caller: SignInContext,
): Promise<void> {
  await db.transaction().execute((trx) =>
    recordPerson(trx, {
      ...entryBy(person, caller),
      kind: "sign_in_refused",
      outcome: "wrong_code",
      detail: { failure: null, blockedSeconds, ...parseUserAgent(caller.userAgent) },
    }),
  );
}
