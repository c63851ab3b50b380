import "server-only";
import { requireId, type PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
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
      if ((await revokeOpen(trx, access, context, { id })) === 0)
        throw new ProblemError("not_found", { applied: "no" });
    });
}

type Which = { id: string } | { invited_by_id: string } | { email: string } | { role: "admin" };

/** Revokes the partner's open invitations that match; returns how many. `replaced`: by a newer link. */
export async function revokeOpen(
  trx: Transaction<Database>,
  access: Pick<PartnerAccess, "partner" | "viewer">,
  context: RequestContext,
  which: Which,
  replaced = false,
): Promise<number> {
  const revoked = await trx
    .updateTable("invitations")
    .set({ revoked_at: databaseTime() })
    .where("partner_id", "=", access.partner.id)
    .where((eb) => eb.and(which))
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .returning(["id", "email", "role"])
    .execute();
  for (const { id, email, role } of revoked)
    await recordHistory(trx, {
      ...entryBase(access, context),
      kind: "invitation_revoked",
      detail: { invitationId: id, email, role, replaced },
    });
  return revoked.length;
}
