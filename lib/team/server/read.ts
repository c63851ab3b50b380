import "server-only";
import { toInvitation } from "@/lib/team/server/invitations/create-invitation";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { rightToInvite } from "@/lib/platform/auth/right-to-invite";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { alertAddressesOf } from "./alert-addresses";
import { env } from "@/lib/platform/env/env";
import { isManaged } from "@/lib/platform/access/is-managed";
import { db } from "@/lib/platform/database/open";
import { presentFourEyes } from "@/lib/team/server/four-eyes/four-eyes";
import type { Team } from "@/lib/team/model/team";

/** The people of a partner and its invitations. */
export async function readTeam({ partner, viewer }: PartnerAccess<"team.read">): Promise<Team> {
  const members = await db()
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "users.name", "users.email", "role", "managed", "memberships.created_at"])
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
  const mayInvite = new Map<string | null, boolean>();
  for (const makerId of new Set(invitations.map((row) => row.invited_by_id))) {
    const right = await rightToInvite(db(), { makerId, partnerId: partner.id });
    mayInvite.set(makerId, right !== null);
  }
  const nameOf = await distinctNames(
    db(),
    partner.id,
    invitations.map((row) => row.invited_by_id),
  );
  return {
    partner: partner.id,
    members: members.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      since: new Date(row.created_at).toISOString(),
      you: row.id === viewer.id,
      managedBy: isManaged(row) ? (env().oidc?.name ?? null) : null,
    })),
    invitations: invitations.map((row) =>
      toInvitation(row, {
        invitedBy: row.invited_by_id && nameOf(row.invited_by_id),
        inviterLeft: !mayInvite.get(row.invited_by_id),
      }),
    ),
    joinsBy: env().oidc?.isOnlyWay ? (env().oidc?.name ?? null) : null,
    fourEyes: await presentFourEyes(partner.id, viewer.id),
    alertAddresses: await alertAddressesOf(db(), partner.id),
    mail: env().mail !== null,
  };
}
