import "server-only";
import { requireOwnAccount } from "@/lib/access/require";
import { renewRecoveryCodes as renew } from "@/lib/auth/renew-recovery-codes";
import { db } from "@/lib/db/open";
import { log } from "@/lib/log";
import { ProblemError } from "@/lib/problem";
import type { BothProofs, ConfirmedCodes } from "./account";
import type { AccountOrigin } from "./account-origin";
import { requireBothProofs } from "./require-both-proofs";

/**
 * New recovery codes in place of those that are left, shown this once. With the password alone one could get a code, and
 * with that turn codes off. Throws `signed_out`, and the problems of `requireBothProofs`.
 */
export async function renewRecoveryCodes(
  given: BothProofs,
  origin: AccountOrigin,
): Promise<ConfirmedCodes> {
  const { viewer } = await requireOwnAccount();
  const by = await requireBothProofs(viewer, given, origin);
  const recoveryCodes = await renew(db(), viewer.id);
  if (recoveryCodes === null) throw new ProblemError("changed_meanwhile", { applied: "no" });
  const { requestId, clientAddress } = origin;
  log.info({ requestId, clientAddress, userId: viewer.id, by }, "recovery codes were renewed");
  return { recoveryCodes };
}
