import "server-only";
import { requirePassword, type AccountContext } from "./require-password";
import type { OwnAccount } from "@/lib/platform/access/require";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import { passwordFault } from "@/lib/platform/auth/passwords/password-rules";
import { endPasswordLinksOf } from "@/lib/platform/auth/passwords/password-link";
import { endOtherSessionsOf, requireLive } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import type { EndedSessions, PasswordChange } from "@/lib/account/model/account";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { fieldRefused } from "@/lib/platform/http/model/refusals";

/**
 * Sets a new password for a person who knows the present one. Ends their other sessions and password links. Throws
 * `invalid_fields` (`current`, or `password` with the rule it breaks), `too_many_requests`, or, where that came in between,
 * `signed_out` or `changed_meanwhile`.
 */
export async function changePassword(
  { viewer, session }: OwnAccount,
  { current, password }: PasswordChange,
  context: AccountContext,
): Promise<EndedSessions> {
  const fault = passwordFault(password, viewer);
  if (fault) throw fieldRefused("password", fault);
  const checked = await requirePassword(viewer, { password: current, path: "current" }, context);
  const passwordHash = await hashPassword(password, context.clientAddress);
  const { requestId, clientAddress } = context;
  const ended = await db()
    .transaction()
    .execute(async (trx) => {
      const now = Date.now();
      // Else a request that takes its time would undo the password that somebody set against it meanwhile.
      const person = await lockPerson(trx, viewer.id);
      await requireLive(trx, session, now);
      if (person.password_hash !== checked)
        throw new ProblemError("changed_meanwhile", { applied: "no" });
      await trx
        .updateTable("users")
        .set({ password_hash: passwordHash })
        .where("id", "=", viewer.id)
        .execute();
      await endPasswordLinksOf(trx, viewer.id, now);
      const others = await endOtherSessionsOf(trx, session, "password_changed", now);
      await recordPerson(trx, {
        who: viewer,
        kind: "password_changed",
        requestId,
        clientAddress,
        outcome: "changed",
        detail: {},
      });
      return others;
    });
  log.info({ requestId, clientAddress, userId: viewer.id, ended }, "a password was changed");
  return { ended };
}
