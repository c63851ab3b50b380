import "server-only";
import type { Database } from "@/lib/platform/database/tables";
import {
  type CodeKind,
  beginEnrolment,
  confirmEnrolment,
  forgetCodes,
} from "@/lib/platform/auth/codes/one-time-codes";
import type { Transaction } from "kysely";
import type { SignedIn } from "@/lib/platform/access/viewer";
import { requirePassword, type AccountContext, withBothProofs } from "@/lib/account/server/step-up";
import { otpauthUri } from "@/lib/platform/auth/codes/totp";
import { db } from "@/lib/platform/database/open";
import { encode } from "uqr";
import { env } from "@/lib/platform/env/env";
import { ProblemError, fieldRefused, tooMany } from "@/lib/platform/http/model/problem";
import type {
  BeginCodes,
  BegunCodes,
  ConfirmCodes,
  ConfirmedCodes,
  BothProofs,
} from "@/lib/account/model/account";
import { clear, recordWrongGuess, consumeFrom } from "@/lib/platform/limits/limits";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { endSessionsOf, requireLive } from "@/lib/platform/auth/sessions/sessions";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { recordPerson } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import { issueRecoveryCodes } from "@/lib/platform/auth/codes/recovery-codes";
import type { OwnAccount, SettingUp } from "@/lib/platform/access/require";
import { requirePasskeyOfOwner } from "@/lib/platform/auth/step-up";
import { newGeneration } from "@/lib/platform/auth/sign-in/known-device";
import { databaseTime } from "@/lib/platform/runtime/database-time";

/**
 * A secret for the person's authenticator app. Requires the password, and the passkey where they have one: otherwise
 * somebody with the password could set up codes, and with those a passkey. Sign-in changes only once a code confirms
 * it. Throws `invalid_fields`, `too_many_requests`, `reauthentication_required`, or `changed_meanwhile` where codes are
 * set up already.
 */
export async function beginCodes(
  { viewer, session }: SettingUp<"codes">,
  { password }: BeginCodes,
  context: AccountContext,
): Promise<BegunCodes> {
  await requirePasskeyOfOwner(db(), session);
  await requirePassword({ viewer, session }, { password, path: "password" }, context);
  const secret = await beginEnrolment(db(), viewer.id);
  if (secret === null) throw new ProblemError("changed_meanwhile", { applied: "no" });
  const uri = otpauthUri(secret, {
    issuer: `${env().brand.name} (${env().url.host})`,
    account: viewer.email,
  });
  return { secret: secret.replace(/.{4}(?=.)/g, "$& "), uri, picture: qrPicture(uri) };
}

/** Modules of white around the code: the least that ISO/IEC 18004 asks for. */
const quietZone = 4;

/** A QR code as one SVG path, dark modules only, in a square of `size` modules; no style, no script. */
function qrPicture(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: quietZone });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return { size, path };
}

/** Somebody who took the session over must not guess the code that the person is about to type. */
const tries = { most: 20, seconds: 60 * 60, slows: true } as const;

/**
 * Sets one-time codes up, once a code proves that the app has the secret. Ends the person's other sessions, which
 * somebody with the password may have begun. Returns recovery codes, this once. Throws `invalid_fields`,
 * `too_many_requests`, `reauthentication_required` as `beginCodes` does, or `changed_meanwhile` where no setup waits
 * for a code.
 */
export async function confirmCodes(
  { viewer, session }: SettingUp<"codes">,
  { code }: ConfirmCodes,
  { requestId, clientAddress }: RequestContext,
): Promise<ConfirmedCodes> {
  const userId = viewer.id;
  const bucket = { key: `first code ${session.idHash}`, ...tries };
  const limit = await consumeFrom(db(), bucket, databaseTime());
  if (!limit.allowed) throw tooMany(limit.retryAfterSeconds);
  const confirmed = await db()
    .transaction()
    .execute(async (trx) => {
      await lockPerson(trx, userId);
      await requireLive(trx, session);
      // They may have added a passkey since.
      await requirePasskeyOfOwner(trx, session);
      const result = await confirmEnrolment(trx, userId, code);
      if (result.outcome !== "confirmed") return result;
      await endSessionsOf(trx, userId, "codes_changed", databaseTime(), session.idHash);
      const context = { requestId, clientAddress };
      await announceChange(trx, viewer, context, { outcome: "on", by: null });
      return result;
    });
  if (confirmed.outcome === "wrong") {
    await recordWrongGuess(db(), bucket, databaseTime());
    throw fieldRefused("code", "wrong_code");
  }
  if (confirmed.outcome === "over") throw new ProblemError("changed_meanwhile", { applied: "no" });
  await clear(db(), bucket);
  log.info({ requestId, clientAddress, userId }, "one-time codes were set up");
  return { recoveryCodes: confirmed.recoveryCodes };
}

/** Takes the second step out of sign-in. Throws the problems of `withBothProofs`. */
export async function turnOffCodes(
  { viewer, session }: OwnAccount,
  given: BothProofs,
  context: AccountContext,
): Promise<void> {
  const { requestId, clientAddress } = context;
  await withBothProofs({ viewer, session }, given, context, async (trx, by) => {
    await forgetCodes(trx, viewer.id);
    await newGeneration(trx, viewer.id);
    await announceChange(trx, viewer, context, { outcome: "off", by });
  });
  log.info({ requestId, clientAddress, userId: viewer.id }, "one-time codes were turned off");
}

/**
 * New recovery codes instead of the remaining ones, shown this once. Requires both proofs: with the password alone,
 * somebody could get a code and then turn codes off. Throws the problems of `withBothProofs`.
 */
export async function renewRecoveryCodes(
  { viewer, session }: OwnAccount,
  given: BothProofs,
  context: AccountContext,
): Promise<ConfirmedCodes> {
  const { requestId, clientAddress } = context;
  const recoveryCodes = await withBothProofs(
    { viewer, session },
    given,
    context,
    async (trx, by) => {
      const issued = await issueRecoveryCodes(trx, viewer.id);
      await newGeneration(trx, viewer.id);
      await announceChange(trx, viewer, context, { outcome: "renewed", by });
      return issued;
    },
  );
  log.info({ requestId, clientAddress, userId: viewer.id }, "recovery codes were renewed");
  return { recoveryCodes };
}

/** Records it in the person's history and mails them: somebody who took the account over must not do it unnoticed. */
async function announceChange(
  trx: Transaction<Database>,
  viewer: SignedIn["viewer"],
  { requestId, clientAddress }: RequestContext,
  { outcome, by }: { outcome: "on" | "off" | "renewed"; by: CodeKind | null },
): Promise<void> {
  await recordPerson(trx, {
    who: viewer,
    kind: "one_time_codes_changed",
    requestId,
    clientAddress,
    outcome,
    detail: { by },
  });
}
