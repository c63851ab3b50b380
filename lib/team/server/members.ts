import "server-only";
import { adminsOf } from "@/lib/platform/auth/right-to-invite";
import { recordAccessGrant } from "@/lib/platform/access/approvers";
import { requireId, type PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { may, type PartnerRole } from "@/lib/platform/access/model/roles";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { revokeOpen } from "@/lib/team/server/invitations/revoke-invitation";
import type { Database } from "@/lib/platform/database/tables";
import type { Transaction } from "kysely";

/**
 * Changes a member's role, and ends their sessions, so that no open page goes on with the old one. For a member who may
 * write from now on, records which admin granted that. Throws the problems of `requireStepUp`, `not_found` for somebody
 * who is no member, or `last_admin`.
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
    if (member.role === "admin") await revokeOpen(trx, access, context, { invited_by_id: userId });
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
  await changeMember(access, memberId, async (trx, { userId, ...member }) => {
    if (member.role === "admin") await requireOtherAdmin(trx, access.partner.id, userId);
    await trx
      .deleteFrom("memberships")
      .where("partner_id", "=", access.partner.id)
      .where("user_id", "=", userId)
      .execute();
    await revokeOpen(trx, access, context, { invited_by_id: userId });
    if (!(await belongsElsewhere(trx, userId))) await endSessionsOf(trx, userId, "removed");
    await recordHistory(trx, {
      ...entryBase(access, context),
      kind: "member_removed",
      detail: { userId, name: member.name, email: member.email, role: member.role },
    });
  });
}

type Member = Awaited<ReturnType<typeof findMember>>;

/** Requires a step-up, then changes a member in a transaction that checks the actor's role again. */
async function changeMember(
  access: PartnerAccess<"team.write">,
  memberId: string,
  change: (trx: Transaction<Database>, member: Member) => Promise<void>,
): Promise<void> {
  const userId = requireId(memberId);
  await requireStepUp(access);
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      await change(trx, await findMember(trx, access.partner.id, userId));
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
    .select(["users.id as userId", "users.name", "users.email", "role"])
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
