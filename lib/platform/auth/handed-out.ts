import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { hasProvenAddress } from "./proven-address";

/** A way in that one person made for another, by whom and to what. */
type HandedOut = { makerId: string } & (
  { kind: "invitation"; partnerId: string } | { kind: "password_link"; userId: string }
);

/**
 * As what its maker could make this way in now; null where they could not any more. It must not outlive their right to
 * make it, whether they could use it themselves or only have others use it, so this is asked whenever it is read or
 * used.
 *
 * Inviting takes an admin of the partner, or an operator where it has no admin. A password link takes an operator for
 * the staff; for others an admin of the one partner that they belong to, whose word for them counts there. Switching on
 * four-eyes approval starts those words over, so no link from before makes its maker a second person.
 */
export async function rightToHandOut(
  executor: Executor,
  handed: HandedOut,
): Promise<"operator" | "admin" | null> {
  const maker = await executor
    .selectFrom("users")
    .select(["id", "staff_role", "address_proven_at"])
    .where("id", "=", handed.makerId)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (!maker) return null;
  const isOperator = maker.staff_role === "operator" && hasProvenAddress(maker);
  if (handed.kind === "invitation") {
    const admins = await adminsOf(executor, handed.partnerId);
    if (admins.includes(maker.id)) return "admin";
    return isOperator && admins.length === 0 ? "operator" : null;
  }
  if (await isStaff(executor, handed.userId)) return isOperator ? "operator" : null;
  return (await vouches(executor, maker.id, handed.userId)) ? "admin" : null;
}

/** Those who can sign in; none where the partner is suspended. */
async function adminsOf(executor: Executor, partnerId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .innerJoin("partners", "partners.id", "memberships.partner_id")
    .select("users.id")
    .where("memberships.partner_id", "=", partnerId)
    .where("memberships.role", "=", "admin")
    .where("users.disabled_at", "is", null)
    .where("partners.suspended_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

async function isStaff(executor: Executor, userId: string): Promise<boolean> {
  const person = await executor
    .selectFrom("users")
    .select("staff_role")
    .where("id", "=", userId)
    .executeTakeFirst();
  return typeof person?.staff_role === "string";
}

/** For a person of one partner. */
async function vouches(executor: Executor, makerId: string, userId: string): Promise<boolean> {
  const [partner, ...others] = await executor
    .selectFrom("memberships")
    .select("partner_id")
    .where("user_id", "=", userId)
    .execute();
  if (!partner || others.length > 0) return false;
  const admins = await adminsOf(executor, partner.partner_id);
  const voucher = await executor
    .selectFrom("vouchers")
    .select("by_user_id")
    .where("partner_id", "=", partner.partner_id)
    .where("user_id", "=", userId)
    .where("by_user_id", "=", makerId)
    .executeTakeFirst();
  return voucher !== undefined && admins.includes(makerId);
}
