import "server-only";
import { toInvitation } from "@/lib/team/server/invitations/create-invitation";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { rightToInvite } from "@/lib/platform/auth/right-to-invite";
import { db } from "@/lib/platform/database/open";
import { presentFourEyes } from "@/lib/team/server/four-eyes/four-eyes";
import type { Team } from "@/lib/team/model/team";

/** The people of a partner and its invitations. */
export async function readTeam({ partner, viewer }: PartnerAccess<"team.read">): Promise<Team> {
  const members = await db()
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "users.name", "users.email", "role", "memberships.created_at"])
    .where("partner_id", "=", partner.id)
    .orderBy("users.name")
    .orderBy("users.id")
    .execute();
  const invitations = await db()
    .selectFrom("invitations")
    .selectAll()
    .where("partner_id", "=", partner.id)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .orderBy("created_at", "desc")
    .execute();
  const mayInvite = new Map<string, boolean>();
  for (const makerId of new Set(invitations.map((row) => row.invited_by_id))) {
    const right = await rightToInvite(db(), { makerId, partnerId: partner.id });
    mayInvite.set(makerId, right !== null);
  }
  return {
    partner: partner.id,
    members: members.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      since: new Date(row.created_at).toISOString(),
      you: row.id === viewer.id,
    })),
    invitations: invitations.map((row) => toInvitation(row, !mayInvite.get(row.invited_by_id))),
    fourEyes: await presentFourEyes(partner.id, viewer.id),
  };
}
