import "server-only";
import { currentViewer, type Viewer } from "@/lib/platform/access/viewer";
import { db, type Executor } from "@/lib/platform/database/open";
import type { InvitationRow } from "@/lib/platform/database/tables";
import { rightToHandOut } from "@/lib/platform/auth/handed-out";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Offer } from "@/lib/team/model/team";

/** What an invitation's token offers its holder. Changes nothing. Throws `not_found`. */
export async function readOffer(token: string): Promise<Offer> {
  const { row, partnerName } = await findByToken(db(), token);
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

/** Throws `not_found`, also for a suspended partner: nobody can join it. */
export async function findByToken(executor: Executor, token: string): Promise<FoundInvitation> {
  const row = await executor
    .selectFrom("invitations")
    .innerJoin("partners", "partners.id", "invitations.partner_id")
    .selectAll("invitations")
    .select("partners.name as partnerName")
    .where("token_hash", "=", hashOf(token))
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
  return rightToHandOut(executor, { kind: "invitation", makerId, partnerId });
}

type Standing = Extract<Offer, { state: "open" }>["you"];

/** Only the invited address may accept, whoever else gets the link. */
export function standingOf(email: string, viewer: Viewer | null): Standing {
  if (!viewer) return "signed_out";
  if (viewer.email !== email) return "other";
  // Support sees partners only with a reason, operators not at all; neither may write.
  return viewer.staffRole || viewer.withheldRole ? "staff" : "invited";
}
