import "server-only";
import { issueRecoveryCodes } from "@/lib/platform/auth/codes/recovery-codes";
import type { OwnAccount } from "@/lib/platform/access/require";
import { newGeneration } from "@/lib/platform/auth/sign-in/known-device";
import { forgetCodes } from "@/lib/platform/auth/codes/one-time-codes";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import type { BothProofs, ConfirmedCodes } from "@/lib/account/model/account";
import type { AccountContext } from "@/lib/account/server/require-password";
import { withBothProofs } from "@/lib/account/server/with-both-proofs";

/** Takes the second step out of sign-in. Throws the problems of `withBothProofs`. */
export async function turnOffCodes(
  { viewer }: OwnAccount,
  given: BothProofs,
  context: AccountContext,
): Promise<void> {
  const { requestId, clientAddress } = context;
  await withBothProofs(viewer, given, context, async (trx, by) => {
    await forgetCodes(trx, viewer.id);
    await newGeneration(trx, viewer.id);
    await recordPerson(trx, {
      who: viewer,
      kind: "one_time_codes_changed",
      requestId,
      clientAddress,
      outcome: "off",
      detail: { by },
    });
  });
  log.info({ requestId, clientAddress, userId: viewer.id }, "one-time codes were turned off");
}

/**
 * New recovery codes in place of those that are left, shown this once. With the password alone one could get a code, and
 * with that turn codes off. Throws the problems of `withBothProofs`.
 */
export async function renewRecoveryCodes(
  { viewer }: OwnAccount,
  given: BothProofs,
  context: AccountContext,
): Promise<ConfirmedCodes> {
  const { requestId, clientAddress } = context;
  const recoveryCodes = await withBothProofs(viewer, given, context, async (trx, by) => {
    const issued = await issueRecoveryCodes(trx, viewer.id);
    await newGeneration(trx, viewer.id);
    await recordPerson(trx, {
      who: viewer,
      kind: "one_time_codes_changed",
      requestId,
      clientAddress,
      outcome: "renewed",
      detail: { by },
    });
    return issued;
  });
  log.info({ requestId, clientAddress, userId: viewer.id }, "recovery codes were renewed");
  return { recoveryCodes };
}
