import "server-only";
import { fieldRefused, ProblemError } from "@/lib/platform/http/model/problem";
import type { PartnerAccess, StaffAccessTo } from "@/lib/platform/access/require";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { adminsOf, revokeInvitations, rightToInvite } from "@/lib/platform/auth/right-to-invite";
import { recheckRole, recheckStaffRole } from "@/lib/platform/access/recheck-role";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { enforceLimits } from "@/lib/platform/limits/limits";
import type { Database } from "@/lib/platform/database/tables";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { Locale } from "@/lib/platform/i18n/model/locale";
import type { Transaction } from "kysely";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { createInvitation, invitationLink, toInvitation } from "./create-invitation";
import { sendInvitation } from "./invitation-mail";
import type { FirstAdmin, Invite } from "@/lib/team/model/requests";
import type { Invited } from "@/lib/team/model/team";

/** Gancho sends the mail, so it must not become a way to send mail to anybody without limit. */
const anHour = { most: 30, seconds: 60 * 60 };

type InviteContext = RequestContext & { locale: Locale };

/**
 * Invites a person. The link is mailed to the address and shown to nobody, so that only its owner can use it; without
 * mail, they sign in at their provider or the operator makes a link. An open invitation to the same address stops
 * working. Does not reveal whether the address has an account. Throws the problems of `requireStepUp`, `invalid_fields`
 * for somebody who is a member already, `too_many_requests`.
 */
export async function inviteMember(
  access: PartnerAccess<"team.write">,
  invite: Invite,
  context: InviteContext,
): Promise<Invited> {
  await requireStepUp(access);
  await enforceLimits([{ key: `invitations of ${access.partner.id}`, ...anHour }]);
  return inviteBy(access, invite, context, async (trx) => {
    await recheckRole(trx, access);
    await refuseMember(trx, access.partner.id, invite.email);
    return { email: invite.email };
  });
}

/**
 * Invites a partner's first admin, who then invites everybody else; also where the last one lost their account. While
 * the partner has an admin, an operator cannot add another one: operators see no partner's secrets, and could reach
 * them this way. Throws the problems of `requireStepUp`, `invalid_fields` where there is an admin, or
 * `changed_meanwhile` where the partner is suspended: nobody could accept.
 */
export async function inviteFirstAdmin(
  access: StaffAccessTo<"partners.manage">,
  { email, name }: FirstAdmin,
  context: InviteContext,
): Promise<Invited> {
  await requireStepUp(access);
  const invite = { email, ...(name !== undefined && { name }), role: "admin" } as const;
  return inviteBy(access, invite, context, async (trx) => {
    const [partnerId, makerId] = [access.partner.id, access.viewer.id];
    await recheckStaffRole(trx, access);
    await lockPartner(trx, partnerId);
    if ((await adminsOf(trx, partnerId)).length > 0) throw fieldRefused("email", "has_admin");
    if (!(await rightToInvite(trx, { makerId, partnerId })))
      throw new ProblemError("changed_meanwhile", { applied: "no" });
    return { role: "admin" };
  });
}

type Inviter = Pick<PartnerAccess, "partner" | "viewer">;
/** Open invitations with this address or role, which the new one replaces. */
type Replaced = { email: string } | { role: "admin" };

async function inviteBy(
  access: Inviter,
  invite: Invite,
  context: InviteContext,
  check: (trx: Transaction<Database>) => Promise<Replaced>,
): Promise<Invited> {
  const { row, token } = await db()
    .transaction()
    .execute(async (trx) => {
      const which = { ...(await check(trx)), partner_id: access.partner.id };
      await revokeInvitations(trx, which, access.viewer, context, true);
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
  const { partner, viewer } = access;
  const nameOf = await distinctNames(db(), partner.id, [viewer.id]);
  const invitedBy = nameOf(viewer.id);
  const { locale, requestId } = context;
  const mail = await sendInvitation({
    row,
    invitedBy,
    link,
    partner: partner.name,
    locales: [locale],
    requestId,
  });
  return { invitation: toInvitation(row, { invitedBy, inviterLeft: false }), mail };
}

async function refuseMember(trx: Transaction<Database>, partnerId: string, email: string) {
  const member = await trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.id")
    .where("partner_id", "=", partnerId)
    .where("users.email", "=", email)
    .executeTakeFirst();
  if (member) throw fieldRefused("email", "already_member");
}
