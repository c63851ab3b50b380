import "server-only";
import { currentViewer, type Viewer } from "@/lib/platform/access/viewer";
import { db, type Executor } from "@/lib/platform/database/open";
import type { InvitationRow } from "@/lib/platform/database/tables";
import { openInvitationsTo, rightToInvite } from "@/lib/platform/auth/right-to-invite";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Offer } from "@/lib/team/model/team";

/** What an invitation offers: the one of this token, or the newest to the signed-in person. Throws `not_found`. */
export async function readOffer(token: string | undefined): Promise<Offer> {
  const { row, partnerName } = await findInvitation(token);
  const state = await stateOf(db(), row);
  if (state !== "open") return { state };
  return {
    state,
    partner: partnerName,
    role: row.role,
    email: row.email,
    name: row.name,
    invitedBy: row.invited_by,
    expiresAt: new Date(row.expires_at).toISOString(),
    you: standingOf(row.email, await currentViewer()),
  };
}

type FoundInvitation = { row: InvitationRow; partnerName: string };

/**
 * The invitation of this token. A signed-in person, whose address is proven, needs none. Throws `not_found`, also for a
 * suspended partner: nobody can join it.
 */
export async function findInvitation(token: string | undefined): Promise<FoundInvitation> {
  const viewer = token === undefined ? await currentViewer() : null;
  const [own] = viewer ? await openInvitationsTo(db(), viewer.email) : [];
  const row = await db()
    .selectFrom("invitations")
    .innerJoin("partners", "partners.id", "invitations.partner_id")
    .selectAll("invitations")
    .select("partners.name as partnerName")
    .where("token_hash", "=", token === undefined ? (own?.token_hash ?? "") : hashOf(token))
    .where("partners.suspended_at", "is", null)
    .executeTakeFirst();
  if (!row) throw new ProblemError("not_found", { applied: "no" });
  const { partnerName, ...invitation } = row;
  return { row: invitation, partnerName };
}

/** `revoked`: also where the inviting person could not invite any more. */
export async function stateOf(executor: Executor, row: InvitationRow): Promise<Offer["state"]> {
  if (row.accepted_at !== null) return "used";
  if (row.revoked_at !== null) return "revoked";
  if (row.expires_at <= Date.now()) return "expired";
  return (await inviterOf(executor, row)) === null ? "revoked" : "open";
}

/** As what the inviting person could invite now; null: not any more. */
export function inviterOf(executor: Executor, row: InvitationRow) {
  const { partner_id: partnerId, invited_by_id: makerId } = row;
  return rightToInvite(executor, { makerId, partnerId });
}

type Standing = Extract<Offer, { state: "open" }>["you"];

/** Only the invited address may accept, whoever else gets the link. */
export function standingOf(email: string, viewer: Viewer | null): Standing {
  if (!viewer) return "signed_out";
  if (viewer.email !== email) return "other";
  // Support sees partners only with a reason, operators not at all; neither may write.
  return viewer.staffRole ? "staff" : "invited";
}
