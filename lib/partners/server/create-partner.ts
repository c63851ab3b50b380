import "server-only";
import { fieldRefused } from "@/lib/platform/http/model/refusals";
import { searchable } from "@/lib/partners/server/list/search-words";
import type { Transaction } from "kysely";
import type { Database } from "@/lib/platform/database/tables";
import { recheckStaffRole } from "@/lib/platform/access/recheck-role";
import type { StaffAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { actorOf, recordHistory } from "@/lib/history/server/record/record";
import type { ChangedPartner, NewPartner } from "@/lib/partners/model/change-requests";

/** Throws `invalid_fields` where the id is taken. */
export async function createPartner(
  access: StaffAccess<"partners.manage">,
  { id, name }: NewPartner,
  context: RequestContext,
): Promise<ChangedPartner> {
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckStaffRole(trx, access);
      if (!(await insertPartner(trx, { id, name }))) throw fieldRefused("id", "taken");
      await recordHistory(trx, {
        partnerId: id,
        environment: null,
        kind: "partner_created",
        types: [],
        actor: actorOf(access.viewer, context),
        requestId: context.requestId,
        outcome: null,
        detail: { name },
      });
    });
  return { id, name, suspended: false };
}

/**
 * Adds a partner, unless the id is taken; returns whether it did. Takes the caller's right
 * to do so on trust.
 */
export async function insertPartner(
  trx: Transaction<Database>,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const inserted = await trx
    .insertInto("partners")
    .values({ id, name, words: searchable(name, id), created_at: Date.now(), suspended_at: null })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}
