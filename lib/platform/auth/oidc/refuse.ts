import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import type { SingleSignOnFailure } from "@/lib/platform/auth/model/single-sign-on-failure";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import { recordFailure } from "@/lib/platform/auth/sign-in/sign-in-throttle";

type Refused = {
  failure: SingleSignOnFailure;
  /** The affected account, if any. */
  person: { id: string; name: string } | null;
};

/** Counts a failed attempt, which has consumed its turn already, and records it. */
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
  const blockedSeconds = await recordFailure(db, { email: null, clientAddress });
  await db.transaction().execute((trx) =>
    recordPerson(trx, {
      who: person,
      kind: "sign_in_refused",
      clientAddress,
      requestId,
      outcome: "single_sign_on",
      detail: { failure, blockedSeconds, ...parseUserAgent(caller.userAgent) },
    }),
  );
}
