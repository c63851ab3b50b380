import "server-only";
import type { SignedIn } from "@/lib/platform/access/viewer";
import { clear, failIn, consumeFrom } from "@/lib/platform/auth/sign-in/guess-throttle";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { confirmEnrolment } from "@/lib/platform/auth/codes/one-time-codes";
import { endOtherSessionsOf } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { ConfirmCodes, ConfirmedCodes } from "@/lib/account/model/account";
import { fieldRefused, tooMany } from "@/lib/account/server/refusals";

/** Whoever took the session over must not find by trying what the person is about to type. */
const tries = { attempts: 20, windowMs: 60 * 60_000, slows: true };

/**
 * Sets one-time codes up, once a code proves that the app has the secret. The person's other sessions end: they were
 * begun without a code, perhaps by somebody who knows the password. Returns recovery codes, this once.
 * Throws `invalid_fields`, `too_many_requests`, or `changed_meanwhile` where nothing waits for a code.
 */
export async function confirmCodes(
  { viewer, session }: SignedIn,
  { code }: ConfirmCodes,
  { requestId, clientAddress }: RequestContext,
): Promise<ConfirmedCodes> {
  const userId = viewer.id;
  const bucket = { name: `first code ${userId}`, ...tries };
  const turn = await consumeFrom(db(), bucket, Date.now());
  if (!turn.allowed) throw tooMany(turn.retryAfterSeconds);
  const confirmed = await db()
    .transaction()
    .execute(async (trx) => {
      await lockPerson(trx, userId);
      const result = await confirmEnrolment(trx, userId, code);
      if (result.outcome !== "confirmed") return result;
      await endOtherSessionsOf(trx, session, "codes_changed");
      await recordPerson(trx, {
        who: viewer,
        kind: "one_time_codes_changed",
        requestId,
        clientAddress,
        outcome: "on",
        detail: { by: null },
      });
      return result;
    });
  if (confirmed.outcome === "wrong") {
    await failIn(db(), bucket, Date.now());
    throw fieldRefused("code", "wrong_code");
  }
  if (confirmed.outcome === "over") throw new ProblemError("changed_meanwhile", { applied: "no" });
  await clear(db(), bucket);
  log.info({ requestId, clientAddress, userId }, "one-time codes were set up");
  return { recoveryCodes: confirmed.recoveryCodes };
}
