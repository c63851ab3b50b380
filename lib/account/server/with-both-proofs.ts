import "server-only";
import { fieldRefused, tooMany } from "@/lib/platform/http/model/refusals";
import { codesSetUpAt } from "@/lib/platform/auth/second-factors";
import { requirePassword, type AccountContext } from "./require-password";
import type { SignedIn, Viewer } from "@/lib/platform/access/viewer";
import { deviceOwner, knownDevice } from "@/lib/platform/auth/sign-in/known-device";
import { checkCode, type CodeKind } from "@/lib/platform/auth/codes/one-time-codes";
import { requireLive } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Transaction } from "kysely";
import type { BothProofs } from "@/lib/account/model/account";

type Person = Pick<SignedIn, "viewer" | "session">;

/**
 * Runs `change` after checking the password and a code (or recovery code), as sign-in does, since it would make up for
 * one of them. Uses the code up with it. Throws `invalid_fields`, `too_many_requests`, or `changed_meanwhile` where no
 * codes are set up.
 */
export async function withBothProofs<Result>(
  { viewer, session }: Person,
  { password, code }: BothProofs,
  context: AccountContext,
  inOne: (trx: Transaction<Database>, by: CodeKind) => Promise<Result>,
): Promise<Result> {
  if ((await codesSetUpAt(db(), viewer.id)) === null)
    throw new ProblemError("changed_meanwhile", { applied: "no" });
  await requirePassword(viewer, { password, path: "password" }, context);
  return withCode({ viewer, session }, code, context, inOne);
}

/**
 * Does what takes a code (or recovery code) of somebody who has codes set up and has proven the rest. The code is used
 * up together with it. Throws `invalid_fields` or `too_many_requests`.
 */
export async function withCode<Result>(
  { viewer, session }: Person,
  code: string,
  context: AccountContext,
  inOne: (trx: Transaction<Database>, by: CodeKind) => Promise<Result>,
): Promise<Result> {
  const userId = viewer.id;
  const device = knownDevice(context.device, await deviceOwner(db(), userId));
  const checked = await checkCode(db(), { userId, code, device }, async (trx, by) => {
    await requireLive(trx, session);
    return inOne(trx, by);
  });
  if (checked.outcome === "throttled") throw tooMany(checked.retryAfterSeconds);
  if (checked.outcome === "right") return checked.result;
  await recordWrongCode(viewer, checked.blockedSeconds, context);
  throw fieldRefused("code", "wrong_code");
}

async function recordWrongCode(
  viewer: Viewer,
  blockedSeconds: number | null,
  { requestId, clientAddress }: AccountContext,
): Promise<void> {
  await db()
    .transaction()
    .execute((trx) =>
      recordPerson(trx, {
        who: viewer,
        kind: "confirmation_refused",
        requestId,
        clientAddress,
        outcome: "wrong_code",
        detail: { blockedSeconds },
      }),
    );
}
