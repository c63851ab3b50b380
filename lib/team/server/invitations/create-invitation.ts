import "server-only";
import type { Invitation } from "@/lib/team/model/team";
import type { Database, InvitationRow } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import type { Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import type { Invite } from "@/lib/team/model/requests";

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
      // Then only the mailbox gets the link: else the inviting person could use it.
      mailed: env().mail === null ? 0 : 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, token };
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
