import "server-only";
import { db } from "@/lib/db/open";

/** Whether single sign-on is not the person's only way in. Takes the id on trust. */
export async function hasPassword(userId: string): Promise<boolean> {
  const user = await db()
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirst();
  return typeof user?.password_hash === "string";
}
