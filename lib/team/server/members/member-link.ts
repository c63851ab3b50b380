import "server-only";
import { recordVoucher } from "@/lib/platform/access/approvers";
import { requireId, type PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { issuePasswordLink } from "@/lib/platform/auth/passwords/password-link";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { findMember } from "@/lib/team/server/admins";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import type { MemberLink } from "@/lib/team/model/team";

/**
 * The members for whom an admin can make a password link: they have a password, and belong to nothing else, else an
 * admin of one partner could become one of another. None where mail is set up: people then request one themselves, and
 * nobody else sees it.
 */
export async function membersWithLink(
  executor: Executor,
  partnerId: string,
): Promise<ReadonlySet<string>> {
  if (env().mail) return new Set();
  const rows = await executor
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.id")
    .where("memberships.partner_id", "=", partnerId)
    .where("users.password_hash", "is not", null)
    .where("users.disabled_at", "is", null)
    .where("users.staff_role", "is", null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("memberships as elsewhere")
            .select("elsewhere.user_id")
            .whereRef("elsewhere.user_id", "=", "users.id")
            .where("elsewhere.partner_id", "!=", partnerId),
        ),
      ),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * A link with which a member who forgot their password chooses another, for an admin to hand over. The admin could use
 * it, so it proves nothing about the address, the admin vouches for the member from then on, and both the partner's
 * history and the member's own activity record it. Throws the problems of `requireStepUp`, `not_found` for somebody who
 * is no member, or `changed_meanwhile` for oneself and for members who get none.
 */
export async function makeMemberLink(
  access: PartnerAccess<"team.write">,
  memberId: string,
  context: RequestContext,
): Promise<MemberLink> {
  const userId = requireId(memberId);
  await requireStepUp(access);
  const link = await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      const { name, email } = await findMember(trx, access.partner.id, userId);
      await lockPerson(trx, userId);
      const offered = await membersWithLink(trx, access.partner.id);
      if (userId === access.viewer.id || !offered.has(userId))
        throw new ProblemError("changed_meanwhile", { applied: "no" });
      const made = await issuePasswordLink(trx, userId, {
        proves: null,
        by: access.viewer.name,
        byId: access.viewer.id,
      });
      await recordVoucher(trx, access.partner.id, { userId, by: access.viewer.id });
      const detail = { userId, name, email };
      await recordHistory(trx, { ...entryBase(access, context), kind: "member_link_made", detail });
      await recordPerson(trx, {
        ...context,
        who: access.viewer,
        kind: "password_link_made",
        outcome: "handed",
        detail,
      });
      return made;
    });
  return { link };
}
