import "server-only";
import type { Invitation, Invited } from "@/lib/team/model/team";
import type { Database, InvitationRow } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import type { Transaction } from "kysely";
import { type Db, db } from "@/lib/platform/database/open";
import { openInvitationsTo } from "@/lib/platform/auth/right-to-invite";
import { randomUUID } from "node:crypto";
import type { Invite, FirstAdmin } from "@/lib/team/model/requests";
import type { Locale } from "@/lib/platform/i18n/model/locale";
import { sendInvitation } from "./invitation-mail";
import { fieldRefused, ProblemError } from "@/lib/platform/http/model/problem";
import { type PartnerAccess, type StaffAccessTo, requireId } from "@/lib/platform/access/require";
import { adminsOf } from "@/lib/platform/access/admins";
import { recheckRole, recheckStaffRole } from "@/lib/platform/access/recheck-role";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { requireRoom } from "@/lib/platform/limits/limits";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { RequestContext } from "@/lib/platform/http/model/request-context";

/** Long enough for a weekend, milliseconds. */
const lifeMs = 72 * 60 * 60_000;

type NewInvitation = Invite & {
  partnerId: string;
  invitedBy: { id: string; name: string };
};

/** Adds an invitation. From then on only the caller knows the token. */
export async function createInvitation(
  trx: Transaction<Database>,
  { partnerId, email, role, name, invitedBy }: NewInvitation,
): Promise<{ row: InvitationRow; token: string }> {
  const token = newToken();
  const now = Date.now();
  const row = await trx
    .insertInto("invitations")
    .values({
      id: randomUUID(),
      partner_id: partnerId,
      token_hash: hashOf(token),
      email,
      name: name ?? null,
      role,
      invited_by: invitedBy.name,
      invited_by_id: invitedBy.id,
      created_at: now,
      expires_at: now + lifeMs,
      accepted_at: null,
      revoked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, token };
}

/** The token stands after the #, which no server, log or Referer ever sees. */
function invitationLink(token: string): string {
  return new URL(`/invitation#${token}`, env().url).href;
}

/**
 * New links for the open invitations to this address (lower-case), for the operator at the terminal, who vouches that
 * they reach its owner. Earlier links stop working.
 */
export function makeInvitationLinks(db: Db, email: string): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const links = [];
    for (const { id } of await openInvitationsTo(trx, email)) {
      const token = newToken();
      await trx
        .updateTable("invitations")
        .set({ token_hash: hashOf(token) })
        .where("id", "=", id)
        .execute();
      links.push(invitationLink(token));
    }
    return links;
  });
}

/** As an admin sees it, chosen field by field: the token's hash stays here. */
export function toInvitation(row: InvitationRow, inviterLeft = false): Invitation {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    invitedAt: new Date(row.created_at).toISOString(),
    invitedBy: row.invited_by,
    expiresAt: new Date(row.expires_at).toISOString(),
    expired: row.expires_at <= Date.now(),
    inviterLeft,
  };
}

/** We send this mail, so nobody may have it sent to anybody without limit. */
const anHour = { most: 30, seconds: 60 * 60 };

type InviteContext = RequestContext & { locale: Locale };

/**
 * Invites a person. The link is mailed to the address and shown to nobody, so that only its owner can use it; without
 * mail, they sign in at their provider or the operator makes a link. An open one for the same address stops working. Does
 * not reveal whether the address has an account. Throws the problems of `requireStepUp`, `invalid_fields` for somebody
 * who is a member already, `too_many_requests`.
 */
export async function inviteMember(
  access: PartnerAccess<"team.write">,
  invite: Invite,
  context: InviteContext,
): Promise<Invited> {
  await requireStepUp(access);
  await requireRoom([{ key: `invitations of ${access.partner.id}`, ...anHour }]);
  return inviteBy(access, invite, context, async (trx) => {
    await recheckRole(trx, access);
    await refuseMember(trx, access.partner.id, invite.email);
    return { email: invite.email };
  });
}

/**
 * Invites a partner's first admin, who then invites everybody else; also where the last one lost their account. While
 * the partner has an admin, an operator cannot make another one: operators see no partner's secrets, and could get at
 * them this way. Throws the problems of `requireStepUp`, or `invalid_fields` where there is an admin.
 */
export async function inviteFirstAdmin(
  access: StaffAccessTo<"partners.manage">,
  { email, name }: FirstAdmin,
  context: InviteContext,
): Promise<Invited> {
  await requireStepUp(access);
  const invite = { email, ...(name !== undefined && { name }), role: "admin" } as const;
  return inviteBy(access, invite, context, async (trx) => {
    await recheckStaffRole(trx, access);
    await lockPartner(trx, access.partner.id);
    if ((await adminsOf(trx, access.partner.id)).length > 0)
      throw fieldRefused("email", "has_admin");
    return { role: "admin" };
  });
}

type Inviter = Pick<PartnerAccess, "partner" | "viewer">;
/** Of several open invitations alike in this, only the newest has a working link. */
type Alike = { email: string } | { role: "admin" };

async function inviteBy(
  access: Inviter,
  invite: Invite,
  context: InviteContext,
  check: (trx: Transaction<Database>) => Promise<Alike>,
): Promise<Invited> {
  const { row, token } = await db()
    .transaction()
    .execute(async (trx) => {
      await replaceOpen(trx, access, context, await check(trx));
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
  if (member) throw fieldRefused("email", "already_member");
}

async function replaceOpen(
  trx: Transaction<Database>,
  access: Inviter,
  context: RequestContext,
  alike: Alike,
): Promise<void> {
  const open = await trx
    .selectFrom("invitations")
    .selectAll()
    .where("partner_id", "=", access.partner.id)
    .where((eb) => eb.and(alike))
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
  for (const row of open) await revokeRow(trx, access, context, row, true);
}

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
 * Revokes the invitations by somebody who may no longer invite: else an admin who is about to lose the role could leave
 * a way back in.
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
async function revokeRow(
  trx: Transaction<Database>,
  access: Pick<PartnerAccess, "partner" | "viewer">,
  context: RequestContext,
  { id, email, role }: InvitationRow,
  replaced: boolean,
): Promise<boolean> {
  const revoked = await trx
    .updateTable("invitations")
    .set({ revoked_at: Date.now() })
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
