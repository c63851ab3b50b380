import "server-only";
import type { NameChange } from "@/lib/account/model/account";
import { actorOf, byNobody, recordHistory, recordPerson } from "@/lib/history/server/record/record";
import type { OwnAccount } from "@/lib/platform/access/require";
import { namesTaken } from "@/lib/platform/auth/names-taken";
import { isNameTaken } from "@/lib/platform/auth/person-names";
import { requireLive } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { fieldRefused } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { randomUUID } from "node:crypto";

/**
 * Changes the person's name, by which every entry and row shows them from now on. So each of their partners' histories
 * says what they were called before. Throws `invalid_fields` where it could be taken for somebody else's.
 */
export async function changeName(
  { viewer, session }: OwnAccount,
  { name }: NameChange,
  context: RequestContext,
): Promise<void> {
  const changed = await db()
    .transaction()
    .execute(async (trx) => {
      const person = await lockPerson(trx, viewer.id);
      await requireLive(trx, session);
      if (person.name === name) return false;
      const memberships = await trx
        .selectFrom("memberships")
        .select("partner_id")
        .where("user_id", "=", viewer.id)
        .orderBy("partner_id")
        .execute();
      const partners = memberships.map(({ partner_id }) => partner_id);
      if (isNameTaken(name, await namesTaken(trx, partners, viewer.id)))
        throw fieldRefused("name", "name_taken");
      const formerName = randomUUID();
      await trx
        .insertInto("former_names")
        .values({
          id: formerName,
          user_id: viewer.id,
          name: person.name,
          changed_at: databaseTime(),
        })
        .execute();
      await trx.updateTable("users").set({ name }).where("id", "=", viewer.id).execute();
      const detail = { userId: viewer.id, formerName, before: person.name };
      for (const partnerId of partners)
        await recordHistory(trx, {
          ...byNobody,
          partnerId,
          actor: actorOf(viewer, context),
          requestId: context.requestId,
          kind: "member_renamed",
          detail,
        });
      await recordPerson(trx, {
        ...context,
        who: viewer,
        kind: "name_changed",
        outcome: null,
        detail,
      });
      return true;
    });
  if (changed) log.info({ ...context, userId: viewer.id }, "a person changed their name");
}
