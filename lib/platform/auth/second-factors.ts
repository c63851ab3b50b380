import "server-only";
import { env } from "@/lib/platform/env/env";
import type { Executor } from "@/lib/platform/database/open";

/** Whether a person has a passkey. */
export async function hasPasskey(db: Executor, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom("passkeys")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Since when the person signs in with codes, or null, also where codes are off. */
export async function codesSetUpAt(db: Executor, userId: string): Promise<number | null> {
  if (env().oidc?.isOnlyWay) return null;
  const row = await db
    .selectFrom("one_time_codes")
    .select("confirmed_at")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.confirmed_at ?? null;
}
