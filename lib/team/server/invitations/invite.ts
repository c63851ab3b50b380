import "server-only";
import { fieldRefused } from "@/lib/platform/http/model/refusals";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { requireRoom } from "@/lib/platform/limits/limits";
import type { Database, InvitationRow } from "@/lib/platform/database/tables";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { Locale } from "@/lib/platform/i18n/model/locale";
import type { Transaction } from "kysely";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { createInvitation, invitationLink, toInvitation } from "./create-invitation";
import { sendInvitation } from "./invitation-mail";
import type { Invite } from "@/lib/team/model/requests";
import { revokeRow } from "./revoke-invitation";
import type { Invited } from "@/lib/team/model/team";

/** We send this mail, so nobody may have it sent to anybody without limit. */
const anHour = { most: 30, seconds: 60 * 60 };

/**
 * Invites a person. The link is mailed to the address and shown to nobody, so that only its owner can use it; without
 * mail, they sign in at their provider or the operator makes a link. An open one for the same address stops working. Does
 * not reveal whether the address has an account. Throws the problems of `requireStepUp`, `invalid_fields` for somebody
 * who is a member already, `too_many_requests`.
 */
export async function inviteMember(
  access: PartnerAccess<"team.write">,
  invite: Invite,
  context: RequestContext & { locale: Locale },
): Promise<Invited> {
  await requireStepUp(access);
  await requireRoom([{ key: `invitations of ${access.partner.id}`, ...anHour }]);
  const { row, token } = await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      await refuseMember(trx, access.partner.id, invite.email);
      await replaceOpen(trx, access, context, invite.email);
      const made = await createInvitation(trx, {
        ...invite,
        partnerId: access.partner.id,
        invitedBy: access.viewer,
      });
      await recordHistory(trx, {
        ...entryBase(access, context),
        kind: "member_invited",
        detail: { invitationId: made.row.id, email: invite.email, role: invite.role },
      });
      return made;
    });
  const link = invitationLink(token);
  const mail = await sendInvitation({ row, link, partner: access.partner.name, ...context });
  return { invitation: toInvitation(row), mail };
}

async function refuseMember(trx: Transaction<Database>, partnerId: string, email: string) {
  const member = await trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.id")
    .where("partner_id", "=", partnerId)
    .where("users.email", "=", email)
    .executeTakeFirst();
  if (!member) return;
  throw fieldRefused("email", "already_member");
}

/** One working link for one address: the newest. */
async function replaceOpen(
  trx: Transaction<Database>,
  access: PartnerAccess,
  context: RequestContext,
  email: string,
): Promise<void> {
  const open: InvitationRow[] = await trx
    .selectFrom("invitations")
    .selectAll()
    .where("partner_id", "=", access.partner.id)
    .where("email", "=", email)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
  for (const row of open) await revokeRow(trx, access, context, row, true);
}
