import "server-only";
import { requireId, type PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { revokeInvitations } from "@/lib/platform/auth/right-to-invite";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";

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
      const which = { id, partner_id: access.partner.id };
      if ((await revokeInvitations(trx, which, access.viewer, context)) === 0)
        throw new ProblemError("not_found", { applied: "no" });
    });
}
