import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import type { InvitationRow } from "@/lib/platform/database/tables";
import { databaseTime } from "@/lib/platform/runtime/database-time";

type Invitation = { makerId: string; partnerId: string };

/**
 * The role in which the inviting person may invite to this partner now: its admin, or an operator where it has no
 * admin; null where they no longer may, or the partner is suspended. An invitation must not outlive the right to make
 * it, so this is asked whenever one is read or used.
 */
export async function rightToInvite(
  executor: Executor,
  { makerId, partnerId }: Invitation,
): Promise<"operator" | "admin" | null> {
  const maker = await executor
    .selectFrom(["users", "partners"])
    .select("staff_role")
    .where("users.id", "=", makerId)
    .where("users.disabled_at", "is", null)
    .where("partners.id", "=", partnerId)
    .where("partners.suspended_at", "is", null)
    .executeTakeFirst();
  if (!maker) return null;
  const admins = await adminsOf(executor, partnerId);
  if (admins.includes(makerId)) return "admin";
  return maker.staff_role === "operator" && admins.length === 0 ? "operator" : null;
}

/** The ids of a partner's admins who can sign in. Checks no access. */
export async function adminsOf(executor: Executor, partnerId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.id")
    .where("partner_id", "=", partnerId)
    .where("role", "=", "admin")
    .where("users.disabled_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

/** The invitations to this address (lower-case) that can be accepted, the newest first. */
export async function openInvitationsTo(
  executor: Executor,
  email: string,
): Promise<InvitationRow[]> {
  const rows = await executor
    .selectFrom("invitations")
    .innerJoin("partners", "partners.id", "invitations.partner_id")
    .selectAll("invitations")
    .where("invitations.email", "=", email)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", databaseTime())
    .where("partners.suspended_at", "is", null)
    .orderBy("invitations.created_at", "desc")
    .execute();
  const open = [];
  for (const row of rows) {
    const { partner_id: partnerId, invited_by_id: makerId } = row;
    if (await rightToInvite(executor, { makerId, partnerId })) open.push(row);
  }
  return open;
}
