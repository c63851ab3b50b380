import "server-only";
import type { Viewer } from "@/lib/access/viewer";
import { knownDevice } from "@/lib/auth/known-device";
import { checkCode, codesSetUpAt } from "@/lib/auth/one-time-codes";
import { db } from "@/lib/db/open";
import { ProblemError } from "@/lib/problem";
import type { BothProofs } from "./account";
import type { AccountOrigin } from "./account-origin";
import { fieldRefused, tooMany } from "./refusals";
import { requirePassword } from "./require-password";

/**
 * The password and a code (or recovery code), as at sign-in: for what would make up for one of them. Returns which kind
 * of code it was. Throws `invalid_fields`, `too_many_requests`, or `changed_meanwhile` where no codes are set up.
 */
export async function requireBothProofs(
  viewer: Viewer,
  { password, code }: BothProofs,
  origin: AccountOrigin,
): Promise<"one_time_code" | "recovery_code"> {
  const userId = viewer.id;
  if ((await codesSetUpAt(db(), userId)) === null)
    throw new ProblemError("changed_meanwhile", { applied: "no" });
  await requirePassword(viewer, { password, path: "password" }, origin);
  const device = knownDevice(origin.device, viewer.email);
  const checked = await checkCode(db(), { userId, code, device });
  if (checked.outcome === "throttled") throw tooMany(checked.retryAfterSeconds);
  if (checked.outcome === "wrong") throw fieldRefused("code", "wrong_code");
  return checked.by;
}
