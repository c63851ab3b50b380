import "server-only";
import { endAlertAddresses } from "@/lib/platform/auth/end-alert-addresses";
import { adminsOf, revokeInvitations } from "@/lib/platform/auth/right-to-invite";
import { recordAccessGrant } from "@/lib/platform/access/approvers";
import { requireId, type PartnerAccess } from "@/lib/platform/access/require";
import { isManaged } from "@/lib/platform/access/is-managed";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { may, type PartnerRole } from "@/lib/platform/access/model/roles";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import type { Database } from "@/lib/platform/database/tables";
import type { Transaction } from "kysely";

/**
 * Changes a member's role; it applies at their next request. Their sessions stay: they may belong to other partners, of
 * which this admin decides nothing. For a member who may write from now on, records which admin granted that. Throws
 * the problems of `requireStepUp`, `not_found` for somebody who is no member, or `last_admin`.
 */
export async function changeRole(
  access: PartnerAccess<"team.write">,
  memberId: string,
  role: PartnerRole,
  context: RequestContext,
): Promise<void> {
  // Otherwise somebody at an admin's open session could make themselves an admin.
  await changeMember(access, memberId, async (trx, { userId, ...member }) => {
    if (member.role === role) return;
    if (member.role === "admin") await requireOtherAdmin(trx, access.partner.id, userId);
    await trx
      .updateTable("memberships")
      .set({ role })
      .where("partner_id", "=", access.partner.id)
      .where("user_id", "=", userId)
      .execute();
    if (!may(member.role, "webhooks.approve"))
      await recordAccessGrant(trx, access.partner.id, { userId, by: access.viewer.id });
    // Otherwise an admin about to lose the role could leave a way back in.
    if (member.role === "admin") {
      await revokeInvitationsOf(trx, access, userId, context);
      await endOwnAlerts(trx, access, member.email, context);
    }
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

/**
 * Removes a person from the partner, at once: memberships are read on every request. A person who belongs to no other
 * partner is signed out everywhere. The account stays, for the history and for another invitation; the person's own
 * invitations are revoked. Throws the problems of `requireStepUp`, `not_found` for somebody who is no member, or
 * `last_admin`.
 */
export async function removeMember(
  access: PartnerAccess<"team.write">,
  memberId: string,
  context: RequestContext,
): Promise<void> {
  // Otherwise somebody at an admin's open session could remove those who would notice.
  await changeMember(access, memberId, async (trx, member) => {
    await endMembership(trx, access, member, context);
    if (!(await belongsElsewhere(trx, member.userId)))
      await endSessionsOf(trx, member.userId, "removed");
  });
}

/**
 * The person leaves the partner, at once, and stays signed in; only an admin can invite them again. Their own
 * invitations are revoked. Throws the problems of `requireStepUp`, or `last_admin`.
 */
export async function leavePartner(
  access: PartnerAccess<"team.leave">,
  context: RequestContext,
): Promise<void> {
  // Otherwise somebody at an open session could take the person's access away.
  await changeMember(access, access.viewer.id, (trx, member) =>
    endMembership(trx, access, member, context),
  );
}

/** Throws `last_admin`. */
async function endMembership(
  trx: Transaction<Database>,
  access: Pick<PartnerAccess, "partner" | "viewer">,
  { userId, name, email, role }: Member,
  context: RequestContext,
): Promise<void> {
  if (role === "admin") await requireOtherAdmin(trx, access.partner.id, userId);
  await trx
    .deleteFrom("memberships")
    .where("partner_id", "=", access.partner.id)
    .where("user_id", "=", userId)
    .execute();
  await revokeInvitationsOf(trx, access, userId, context);
  await endOwnAlerts(trx, access, email, context);
  await recordHistory(trx, {
    ...entryBase(access, context),
    kind: userId === access.viewer.id ? "member_left" : "member_removed",
    detail: { userId, name, email, role },
  });
}

/** Of this partner: they may be an admin of others. */
function revokeInvitationsOf(
  trx: Transaction<Database>,
  { partner, viewer }: Pick<PartnerAccess, "partner" | "viewer">,
  userId: string,
  context: RequestContext,
): Promise<number> {
  const which = { partner_id: partner.id, invited_by_id: userId };
  return revokeInvitations(trx, which, viewer, context);
}

/** What an admin gave to themselves does not outlive the right: an alert address that is their own. */
function endOwnAlerts(
  trx: Transaction<Database>,
  { partner, viewer }: Pick<PartnerAccess, "partner" | "viewer">,
  address: string,
  context: RequestContext,
): Promise<number> {
  return endAlertAddresses(trx, { partner_id: partner.id, address }, viewer, context);
}

type Member = Awaited<ReturnType<typeof findMember>>;

/**
 * Requires a step-up, then changes a member in a transaction that checks the actor's role again. Throws
 * `managed_by_provider`.
 */
async function changeMember(
  access: PartnerAccess<"team.write" | "team.leave">,
  memberId: string,
  change: (trx: Transaction<Database>, member: Member) => Promise<void>,
): Promise<void> {
  const userId = requireId(memberId);
  await requireStepUp(access);
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      const member = await findMember(trx, access.partner.id, userId);
      if (isManaged(member)) throw new ProblemError("managed_by_provider", { applied: "no" });
      await change(trx, member);
    });
}

/** Throws `last_admin` where nobody but this person could manage the partner. The caller holds the partner's lock. */
async function requireOtherAdmin(
  trx: Transaction<Database>,
  partnerId: string,
  userId: string,
): Promise<void> {
  const admins = await adminsOf(trx, partnerId);
  if (admins.every((id) => id === userId)) throw new ProblemError("last_admin", { applied: "no" });
}

/** Throws `not_found`. */
async function findMember(trx: Transaction<Database>, partnerId: string, userId: string) {
  const member = await trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id as userId", "users.name", "users.email", "role", "managed"])
    .where("partner_id", "=", partnerId)
    .where("users.id", "=", userId)
    .executeTakeFirst();
  if (!member) throw new ProblemError("not_found", { applied: "no" });
  return member;
}

/** Asked once the membership here is gone. */
async function belongsElsewhere(trx: Transaction<Database>, userId: string): Promise<boolean> {
  const left = trx.selectFrom("memberships").select("user_id").where("user_id", "=", userId);
  return (await left.executeTakeFirst()) !== undefined;
}
