import "server-only";
import { fieldRefused } from "@/lib/platform/http/model/refusals";
import type { PartnerAccess, StaffAccessTo } from "@/lib/platform/access/require";
import { recheckStaffRole } from "@/lib/platform/access/recheck-role";
import { adminsOf } from "@/lib/platform/access/admins";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { lockPartner } from "@/lib/platform/database/row-locks";
import type { Database } from "@/lib/platform/database/tables";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { Locale } from "@/lib/platform/i18n/model/locale";
import type { Transaction } from "kysely";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { createInvitation, invitationLink, toInvitation } from "./create-invitation";
import { sendInvitation } from "./invitation-mail";
import type { FirstAdmin } from "@/lib/team/model/requests";
import { revokeRow } from "./revoke-invitation";
import type { Invited } from "@/lib/team/model/team";

/**
 * Makes a one-time link for a partner's first admin, who then invites everybody else; also where the last one lost
 * their account. While the partner has an admin, an operator cannot make another one: operators see no partner's
 * secrets, and could get at them this way. Throws the problems of `requireStepUp`, or `invalid_fields` where there is
 * an admin.
 */
export async function inviteFirstAdmin(
  access: StaffAccessTo<"partners.manage">,
  { email, name }: FirstAdmin,
  context: RequestContext & { locale: Locale },
): Promise<Invited> {
  await requireStepUp(access);
  const { row, token } = await db()
    .transaction()
    .execute(async (trx) => {
      await recheckStaffRole(trx, access);
      await refuseSecond(trx, access.partner.id);
      await replaceOpen(trx, access, context);
      const made = await createInvitation(trx, {
        email,
        ...(name !== undefined && { name }),
        role: "admin",
        partnerId: access.partner.id,
        invitedBy: access.viewer,
      });
      await recordHistory(trx, {
        ...entryBase(access, context),
        kind: "member_invited",
        detail: { invitationId: made.row.id, email, role: "admin" },
      });
      return made;
    });
  const link = invitationLink(token);
  const mail = await sendInvitation({ row, link, partner: access.partner.name, ...context });
  return { invitation: toInvitation(row), mail };
}

async function refuseSecond(trx: Transaction<Database>, partnerId: string): Promise<void> {
  await lockPartner(trx, partnerId);
  if ((await adminsOf(trx, partnerId)).length > 0) throw fieldRefused("email", "has_admin");
}

/** One working link makes an admin: the newest. */
async function replaceOpen(
  trx: Transaction<Database>,
  access: Pick<PartnerAccess, "partner" | "viewer">,
  context: RequestContext,
): Promise<void> {
  const open = await trx
    .selectFrom("invitations")
    .selectAll()
    .where("partner_id", "=", access.partner.id)
    .where("role", "=", "admin")
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
  for (const row of open) await revokeRow(trx, access, context, row, true);
}
