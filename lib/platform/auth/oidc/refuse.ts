import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import type { SingleSignOnFailure } from "@/lib/platform/auth/model/single-sign-on-failure";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import { refund, recordFailure } from "@/lib/platform/auth/sign-in/sign-in-throttle";

export type Refused = {
  failure: SingleSignOnFailure;
  /** The affected account, if any. */
  person: { id: string; name: string } | null;
};

/**
 * Counts a failed attempt, which has consumed its turn already, and records it. Does neither while the provider is
 * away: a person who tries again then is not guessing, and anybody could fill the history with such entries.
 */
export async function refuseSingleSignOn(
  db: Db,
  { failure, person }: Refused,
  caller: SignInContext,
): Promise<void> {
  const { requestId, clientAddress } = caller;
  log.warn(
    { requestId, failure, userId: person?.id ?? null, clientAddress },
    "single sign-on failed",
  );
  const counted = { email: null, clientAddress };
  if (failure === "provider_unreachable") return refund(db, counted);
  const blockedSeconds = await recordFailure(db, counted);
  await db.transaction().execute((trx) =>
    recordPerson(trx, {
      who: person,
      kind: "sign_in_refused",
      clientAddress,
      requestId,
      outcome: "single_sign_on",
      detail: { reason: failure, blockedSeconds, ...parseUserAgent(caller.userAgent) },
    }),
  );
}
