import "server-only";
import type { StaffAccessTo } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/schema";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { Transaction } from "kysely";
import type { ChangedPartner, PartnerChange } from "@/lib/partners/model/change-requests";
import { indexPartner } from "@/lib/partners/server/list/index-partner";

/**
 * Renames, suspends or resumes a partner; a change that changes nothing is not recorded. While it is suspended its
 * people have no access to it, from their next request on; their sessions stay.
 */
export async function changePartner(
  { viewer, partner }: StaffAccessTo<"partners.manage">,
  change: PartnerChange,
  context: RequestContext,
): Promise<ChangedPartner> {
  return db()
    .transaction()
    .execute(async (trx) => {
      const before = await lock(trx, partner.id);
      const about = entryBase({ viewer, partner }, context);
      const after = {
        name: change.name ?? before.name,
        suspended: change.suspended ?? before.suspended,
      };
      await trx
        .updateTable("partners")
        .set({
          name: after.name,
          ...(after.suspended !== before.suspended && {
            suspended_at: after.suspended ? Date.now() : null,
          }),
        })
        .where("id", "=", partner.id)
        .execute();
      await indexPartner(trx, partner.id);
      if (after.name !== before.name)
        await recordHistory(trx, {
          ...about,
          kind: "partner_renamed",
          detail: { before: before.name, after: after.name },
        });
      if (after.suspended !== before.suspended)
        await recordHistory(trx, {
          ...about,
          kind: after.suspended ? "partner_suspended" : "partner_resumed",
          detail: {},
        });
      return { id: partner.id, ...after };
    });
}

/** Writes first, so that the second of two changes waits here and then sees what the first one did. */
async function lock(trx: Transaction<Database>, id: string) {
  const row = await trx
    .updateTable("partners")
    .set((eb) => ({ id: eb.ref("id") }))
    .where("id", "=", id)
    .returning(["name", "suspended_at"])
    .executeTakeFirstOrThrow();
  return { name: row.name, suspended: row.suspended_at !== null };
}
