import "server-only";
import { fieldRefused } from "@/lib/platform/http/model/problem";
import { searchable } from "@/lib/partners/server/list/search-words";
import type { Transaction } from "kysely";
import type { Database } from "@/lib/platform/database/tables";
import { recheckStaffRole } from "@/lib/platform/access/recheck-role";
import type { StaffAccess, StaffAccessTo } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { recordHistory, entryBase } from "@/lib/history/server/record/record";
import type {
  ChangedPartner,
  NewPartner,
  PartnerChange,
} from "@/lib/partners/model/change-requests";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { databaseTime } from "@/lib/platform/runtime/database-time";

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
        ...entryBase({ partner: { id }, viewer: access.viewer }, context),
        kind: "partner_created",
        detail: { name },
      });
    });
  return { id, name, suspended: false };
}

/** Adds a partner, unless the id is taken; returns whether it did. Checks no access. */
export async function insertPartner(
  trx: Transaction<Database>,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const inserted = await trx
    .insertInto("partners")
    .values({
      id,
      name,
      words: searchable(name, id),
      created_at: databaseTime(),
      suspended_at: null,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Renames, suspends or resumes a partner; records nothing where nothing changes. A suspended partner's people lose
 * access to it at their next request; their sessions stay.
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
            suspended_at: after.suspended ? databaseTime() : null,
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
