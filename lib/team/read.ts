import "server-only";
import { requirePartner } from "@/lib/access/require";
import { db } from "@/lib/db/open";
import { presentFourEyes } from "./four-eyes";
import { toInvitation } from "./stored-invitation";
import type { Team } from "./team";

/** The people of a partner and who is invited. Throws the problems of `requirePartner`. */
export async function readTeam(partnerId: string): Promise<Team> {
  const { partner, viewer } = await requirePartner(partnerId, "team.read");
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
  return {
    partner: partner.id,
    members: members.map(({ id, name, email, role, created_at }) => ({
      id,
      name,
      email,
      role,
      since: new Date(created_at).toISOString(),
      you: id === viewer.id,
    })),
    invitations: invitations.map((row) => toInvitation(row)),
    fourEyes: await presentFourEyes(partner.id, viewer.id),
  };
}
