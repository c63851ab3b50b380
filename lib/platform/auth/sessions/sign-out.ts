import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { recordPerson } from "@/lib/history/server/record/record-person";
import type { Caller } from "@/lib/platform/auth/sign-in/caller";
import { endSession } from "./sessions";

/**
 * Ends a session: `signed_out` because its person wishes so, `replaced` because somebody signs in in the same browser.
 * One that was over already leaves no entry.
 */
export async function signOut(
  db: Db,
  sessionId: string,
  outcome: "signed_out" | "replaced",
  { requestId, clientAddress }: Caller,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const who = await endSession(trx, sessionId);
    if (who)
      await recordPerson(trx, {
        who,
        kind: "signed_out",
        clientAddress,
        requestId,
        outcome,
        detail: {},
      });
  });
}
