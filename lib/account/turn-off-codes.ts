import "server-only";
import { requireOwnAccount } from "@/lib/access/require";
import { knownDevice } from "@/lib/auth/known-device";
import { checkCode, codesSetUpAt, forgetCodes } from "@/lib/auth/one-time-codes";
import { db } from "@/lib/db/open";
import { log } from "@/lib/log";
import { ProblemError } from "@/lib/problem";
import type { TurnOffCodes } from "./account";
import type { AccountOrigin } from "./account-origin";
import { fieldRefused, tooMany } from "./refusals";
import { requirePassword } from "./require-password";

/**
 * Takes the second step out of sign-in, for whoever has the password and a code (or recovery code).
 * Throws `signed_out`, `invalid_fields`, `too_many_requests`, or `changed_meanwhile` where there are no codes.
 */
export async function turnOffCodes(
  { password, code }: TurnOffCodes,
  origin: AccountOrigin,
): Promise<void> {
  const { viewer } = await requireOwnAccount();
  const userId = viewer.id;
  if ((await codesSetUpAt(db(), userId)) === null)
    throw new ProblemError("changed_meanwhile", { applied: "no" });
  await requirePassword(viewer, { password, path: "password" }, origin);
  const checked = await checkCode(db(), {
    userId,
    code,
    device: knownDevice(origin.device, viewer.email),
  });
  if (checked.outcome === "throttled") throw tooMany(checked.retryAfterSeconds);
  if (checked.outcome === "wrong") throw fieldRefused("code", "wrong_code");
  await db()
    .transaction()
    .execute((trx) => forgetCodes(trx, userId));
  const { requestId, clientAddress } = origin;
  log.info({ requestId, clientAddress, userId, by: checked.by }, "one-time codes were turned off");
}
