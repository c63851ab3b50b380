import "server-only";
import type { Invitation } from "@/lib/team/model/team";
import type { Database, InvitationRow } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import { byNobody, recordHistory } from "@/lib/history/server/record/record";
import type { Transaction } from "kysely";
import type { Db } from "@/lib/platform/database/open";
import { openInvitationsTo } from "@/lib/platform/auth/right-to-invite";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { randomUUID } from "node:crypto";
import type { Invite } from "@/lib/team/model/requests";

const hour = 60 * 60_000;
/** Milliseconds. A person's is long enough for a weekend; the installation's reaches people who do not expect it. */
const lifeMs = { person: 72 * hour, installation: 14 * 24 * hour };

type NewInvitation = Invite & {
  partnerId: string;
  /** null: the installation. */
  invitedBy: { id: string } | null;
};

/** Adds an invitation. Only the caller gets the token. */
export async function createInvitation(
  trx: Transaction<Database>,
  { partnerId, email, role, name, invitedBy }: NewInvitation,
): Promise<{ row: InvitationRow; token: string }> {
  const token = newToken();
  const now = databaseTime();
  const row = await trx
    .insertInto("invitations")
    .values({
      id: randomUUID(),
      partner_id: partnerId,
      token_hash: hashOf(token),
      email,
      name: name ?? null,
      role,
      invited_by_id: invitedBy?.id ?? null,
      created_at: now,
      expires_at: now + lifeMs[invitedBy ? "person" : "installation"],
      mailed_at: null,
      accepted_at: null,
      revoked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, token };
}

/** The token is in the fragment, which no server, log or Referer header ever gets. */
export function invitationLink(token: string): string {
  return new URL(`/invitation#${token}`, env().url).href;
}

/**
 * Makes new links for the open invitations to this address (lower-case), for the operator at the terminal, who ensures
 * that they reach its owner. Earlier links stop working, and the history says so.
 */
export function makeInvitationLinks(db: Db, email: string): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const links = [];
    for (const { id, partner_id: partnerId, role } of await openInvitationsTo(trx, email)) {
      const token = await newLinkToken(trx, id);
      await recordHistory(trx, {
        ...byNobody,
        partnerId,
        kind: "invitation_revoked",
        detail: { invitationId: id, email, role, replaced: true },
      });
      links.push(invitationLink(token));
    }
    return links;
  });
}

/** Of an invitation whose link nobody has, or has any more. Only the caller gets the token. */
export async function newLinkToken(
  trx: Transaction<Database>,
  invitationId: string,
): Promise<string> {
  const token = newToken();
  await trx
    .updateTable("invitations")
    .set({ token_hash: hashOf(token) })
    .where("id", "=", invitationId)
    .execute();
  return token;
}

/** As an admin sees it, chosen field by field: the token's hash stays here. */
export function toInvitation(
  row: InvitationRow,
  { invitedBy, inviterLeft }: Pick<Invitation, "invitedBy" | "inviterLeft">,
): Invitation {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    invitedAt: new Date(row.created_at).toISOString(),
    invitedBy,
    expiresAt: new Date(row.expires_at).toISOString(),
    expired: row.expires_at <= databaseTime(),
    inviterLeft,
  };
}
