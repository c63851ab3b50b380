import "server-only";
import {
  byNobody,
  entryBase,
  recordHistory,
  type EntryOrigin,
} from "@/lib/history/server/record/record";
import type { Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { Database, InvitationRow } from "@/lib/platform/database/tables";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { Transaction } from "kysely";

/** `makerId` is null for an invitation of the installation. */
type Invitation = { makerId: string | null; partnerId: string };

/**
 * The role in which the inviting person may invite to this partner now: its admin, or an operator where it has no
 * admin; null where they no longer may, or the partner is suspended. An invitation must not outlive the right to make
 * it, so this is asked whenever one is read or used. The installation's rest on nobody's role.
 */
export async function rightToInvite(
  executor: Executor,
  { makerId, partnerId }: Invitation,
): Promise<"operator" | "admin" | "installation" | null> {
  if (makerId === null) return (await isSuspended(executor, partnerId)) ? null : "installation";
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

async function isSuspended(executor: Executor, partnerId: string): Promise<boolean> {
  const active = await executor
    .selectFrom("partners")
    .select("id")
    .where("id", "=", partnerId)
    .where("suspended_at", "is", null)
    .executeTakeFirst();
  return active === undefined;
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

/**
 * The invitations to this address (lower-case) that can be accepted, the newest first; none where they are off. null: of
 * somebody whose address does not count.
 */
export async function openInvitationsTo(
  executor: Executor,
  email: string | null,
): Promise<InvitationRow[]> {
  if (email === null || env().oidc?.isOnlyWay) return [];
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

type Which = Partial<
  Pick<InvitationRow, "id" | "partner_id" | "invited_by_id" | "email"> & { role: "admin" }
>;

/** Who takes a right to invite: a person; null: the operator at the terminal; or the claim of the sign-in provider. */
type TakenBy = { id: string; name: string } | "provider" | null;

/** Revokes the open invitations that match; returns how many. `replaced`: by a newer link. */
export async function revokeInvitations(
  trx: Transaction<Database>,
  which: Which,
  by: TakenBy,
  context: EntryOrigin,
  replaced = false,
): Promise<number> {
  const revoked = await trx
    .updateTable("invitations")
    .set({ revoked_at: databaseTime() })
    .where((eb) => eb.and(which))
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .returning(["id", "partner_id", "email", "role"])
    .execute();
  // Always in the same order, so that two callers cannot deadlock.
  revoked.sort((one, other) => (one.partner_id < other.partner_id ? -1 : 1));
  for (const { id, partner_id, email, role } of revoked)
    await recordHistory(trx, {
      ...(by === null || by === "provider"
        ? { ...byNobody, partnerId: partner_id, requestId: context.requestId }
        : entryBase({ partner: { id: partner_id }, viewer: by }, context)),
      kind: "invitation_revoked",
      detail: {
        invitationId: id,
        email,
        role,
        replaced,
        ...(by === "provider" && { claimed: true as const }),
      },
    });
  return revoked.length;
}

/**
 * Ends what a person of the staff gave others and nobody has used yet: they lose the right to give it, and it must not
 * come back with that right.
 */
export async function endAccessGivenBy(
  trx: Transaction<Database>,
  staffId: string,
  by: TakenBy,
  context: EntryOrigin,
): Promise<void> {
  await trx
    .updateTable("password_links")
    .set({ used_at: databaseTime() })
    .where("made_by_id", "=", staffId)
    .where("used_at", "is", null)
    .execute();
  await revokeInvitations(trx, { invited_by_id: staffId }, by, context);
}
