import "server-only";
import type { Executor } from "@/lib/platform/database/open";

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
