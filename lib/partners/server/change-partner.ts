import "server-only";
import { recheckStaffRole } from "@/lib/platform/access/recheck-role";
import type { StaffAccessTo } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { lockPartner } from "@/lib/platform/database/row-locks";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { ChangedPartner, PartnerChange } from "@/lib/partners/model/change-requests";
import { searchable } from "@/lib/partners/server/list/search-words";

/**
 * Renames, suspends or resumes a partner; a change that changes nothing is not recorded. While it is suspended its
 * people have no access to it, from their next request on; their sessions stay.
 */
export async function changePartner(
  access: StaffAccessTo<"partners.manage">,
  change: PartnerChange,
  context: RequestContext,
): Promise<ChangedPartner> {
  const { viewer, partner } = access;
  return db()
    .transaction()
    .execute(async (trx) => {
      await recheckStaffRole(trx, access);
      await lockPartner(trx, partner.id);
      const row = await trx
        .selectFrom("partners")
        .select(["name", "suspended_at"])
        .where("id", "=", partner.id)
        .executeTakeFirstOrThrow();
      const before = { name: row.name, suspended: row.suspended_at !== null };
      const about = entryBase({ viewer, partner }, context);
      const after = {
        name: change.name ?? before.name,
        suspended: change.suspended ?? before.suspended,
      };
      await trx
        .updateTable("partners")
        .set({
          name: after.name,
          words: searchable(after.name, partner.id),
          ...(after.suspended !== before.suspended && {
            suspended_at: after.suspended ? Date.now() : null,
          }),
        })
        .where("id", "=", partner.id)
        .execute();
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
