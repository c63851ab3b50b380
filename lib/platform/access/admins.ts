import "server-only";
import type { Executor } from "@/lib/platform/database/open";

/**
 * The ids of those who look after a partner: its admins, but for whoever cannot sign in, who looks after nothing. Takes the
 * partner's id on trust.
 */
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
