import "server-only";
import { requireId, type PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { db } from "@/lib/platform/database/open";
import type { Database, InvitationRow } from "@/lib/platform/database/tables";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Transaction } from "kysely";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { databaseTime } from "@/lib/platform/runtime/database-time";

/**
 * Revokes an invitation's link. Throws `not_found` for one that is not open: accepted meanwhile, or revoked by somebody
 * else.
 */
export async function revokeInvitation(
  access: PartnerAccess<"team.write">,
  invitationId: string,
  context: RequestContext,
): Promise<void> {
  const id = requireId(invitationId);
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      const row = await trx
        .selectFrom("invitations")
        .selectAll()
        .where("id", "=", id)
        .where("partner_id", "=", access.partner.id)
        .executeTakeFirst();
      if (!row || !(await revokeRow(trx, access, context, row, false)))
        throw new ProblemError("not_found", { applied: "no" });
    });
}

/**
 * Revokes the invitations of a person who may no longer invite: otherwise an admin about to lose the role could leave a
 * way back in.
 */
export async function revokeInvitationsOf(
  trx: Transaction<Database>,
  access: Pick<PartnerAccess, "partner" | "viewer">,
  context: RequestContext,
  userId: string,
): Promise<void> {
  const rows = await trx
    .selectFrom("invitations")
    .selectAll()
    .where("partner_id", "=", access.partner.id)
    .where("invited_by_id", "=", userId)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
  for (const row of rows) await revokeRow(trx, access, context, row, false);
}

/** `replaced`: by a newer link for the same address. False where it is not open any more. */
export async function revokeRow(
  trx: Transaction<Database>,
  access: Pick<PartnerAccess, "partner" | "viewer">,
  context: RequestContext,
  { id, email, role }: InvitationRow,
  replaced: boolean,
): Promise<boolean> {
  const revoked = await trx
    .updateTable("invitations")
    .set({ revoked_at: databaseTime() })
    .where("id", "=", id)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (revoked.numUpdatedRows === 0n) return false;
  await recordHistory(trx, {
    ...entryBase(access, context),
    kind: "invitation_revoked",
    detail: { invitationId: id, email, role, replaced },
  });
  return true;
}
