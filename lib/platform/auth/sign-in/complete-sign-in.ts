import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
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
  now = Date.now(),
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
      if (!(await endPendingSignIn(trx, pending))) throw new UsedMeanwhile();
      const left = kind === "recovery_code" ? await recoveryCodesLeft(trx, userId) : null;
      const given = { by: "password", code: kind, recoveryCodesLeft: left } as const;
      return startSignedIn(trx, person, given, request);
    },
    now,
  ).catch((error: unknown) => {
    if (error instanceof UsedMeanwhile) return over;
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
class UsedMeanwhile extends Error {}

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
