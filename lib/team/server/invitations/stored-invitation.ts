import "server-only";
import type { InvitationRow } from "@/lib/platform/database/schema";
import type { Invitation } from "@/lib/team/model/team";

/** As an admin sees it, chosen field by field: the token's hash stays here. */
export function toInvitation(row: InvitationRow, now = Date.now()): Invitation {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    invitedAt: new Date(row.created_at).toISOString(),
    invitedBy: row.invited_by,
    expiresAt: new Date(row.expires_at).toISOString(),
    expired: row.expires_at <= now,
  };
}
