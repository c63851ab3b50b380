import "server-only";
import { vouch } from "@/lib/access/approvers";
import { requireId, requirePartner } from "@/lib/access/require";
import { requireStill } from "@/lib/access/still";
import { may } from "@/lib/access/roles";
import { endSessionsOf } from "@/lib/auth/sessions";
import { db } from "@/lib/db/open";
import { recordHistory } from "@/lib/history/record";
import { findMember, requireOtherAdmin } from "./admins";
import { entryBase, type Context } from "./context";
import type { TeamRole } from "./requests";
import { revokeInvitationsOf } from "./revoke-invitation";

/**
 * Changes what a member may do, and ends their sessions, so that nothing they have open goes on under the old role.
 * Whoever may write from then on does so on the word of the admin who let them.
 * Throws the problems of `requirePartner`, `not_found` for somebody who is no member, or `last_admin`.
 */
export async function changeRole(
  partnerId: string,
  memberId: string,
  role: TeamRole,
  context: Context,
): Promise<void> {
  const access = await requirePartner(partnerId, "team.write");
  const userId = requireId(memberId);
  await db()
    .transaction()
    .execute(async (trx) => {
      await requireStill(trx, access);
      const member = await findMember(trx, access.partner.id, userId);
      if (member.role === role) return;
      if (member.role === "admin") await requireOtherAdmin(trx, access.partner.id, userId);
      await trx
        .updateTable("memberships")
        .set({ role })
        .where("partner_id", "=", access.partner.id)
        .where("user_id", "=", userId)
        .execute();
      if (!may(member.role, "webhooks.approve"))
        await vouch(trx, access.partner.id, { userId, by: access.viewer.id });
      if (member.role === "admin") await revokeInvitationsOf(trx, access, context, userId);
      await endSessionsOf(trx, userId, "role_changed");
      await recordHistory(trx, {
        ...entryBase(access, context),
        kind: "member_role_changed",
        detail: {
          userId,
          name: member.name,
          email: member.email,
          before: member.role,
          after: role,
        },
      });
    });
}
