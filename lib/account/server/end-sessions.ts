import "server-only";
import type { OwnAccount } from "@/lib/platform/access/require";
import {
  endOneOtherSessionOf,
  endOtherSessionsOf,
  endSessionsOf,
} from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import type { EndedSessions, EndSessions } from "@/lib/account/model/account";

/** Ends the person's other sessions, one of them, or all. */
export async function endSessions(
  { viewer, session }: OwnAccount,
  { which, key = "" }: EndSessions,
  context: RequestContext,
): Promise<EndedSessions> {
  const ended = await db()
    .transaction()
    .execute(async (trx) => {
      const now = Date.now();
      const others =
        which === "one"
          ? await endOneOtherSessionOf(trx, session, key, "ended_elsewhere", now)
          : await endOtherSessionsOf(trx, session, "ended_elsewhere", now);
      if (which === "all") await endSessionsOf(trx, viewer.id, "ended_elsewhere", now);
      // Else anybody who is signed in could have as many entries written as they like.
      if (others === 0 && which !== "all") return others;
      await recordPerson(trx, {
        ...context,
        who: viewer,
        kind: "sessions_ended",
        outcome: which,
        detail: { ended: others },
      });
      return others;
    });
  log.info({ ...context, userId: viewer.id, which, ended }, "signed out everywhere");
  return { ended };
}
