import "server-only";
import { requireOwnAccount } from "@/lib/access/require";
import { forgetCodes } from "@/lib/auth/one-time-codes";
import { db } from "@/lib/db/open";
import { log } from "@/lib/log";
import type { BothProofs } from "./account";
import type { AccountOrigin } from "./account-origin";
import { requireBothProofs } from "./require-both-proofs";

/** Takes the second step out of sign-in. Throws `signed_out`, and the problems of `requireBothProofs`. */
export async function turnOffCodes(given: BothProofs, origin: AccountOrigin): Promise<void> {
  const { viewer } = await requireOwnAccount();
  const by = await requireBothProofs(viewer, given, origin);
  await db()
    .transaction()
    .execute((trx) => forgetCodes(trx, viewer.id));
  const { requestId, clientAddress } = origin;
  log.info({ requestId, clientAddress, userId: viewer.id, by }, "one-time codes were turned off");
}
