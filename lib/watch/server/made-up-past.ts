import "server-only";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import type { Transaction } from "kysely";

/** The demo makes up readings from before it began, so that its screens are not empty. Each of them says so. */
const marker = "made-up-past";

/** In the transaction that writes them: everything from before `at` is made up. */
export async function markPastAsMadeUp(trx: Transaction<Database>, at: number): Promise<void> {
  await trx
    .insertInto("markers")
    .values({ name: marker, done_at: at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ done_at: at }))
    .execute();
}

/** Until when readings are made up, ISO 8601; null where nothing shown since `shownFrom` is. */
export async function madeUpUntil(shownFrom: number): Promise<string | null> {
  const row = await db()
    .selectFrom("markers")
    .select("done_at")
    .where("name", "=", marker)
    .where("done_at", ">", shownFrom)
    .executeTakeFirst();
  return row ? new Date(row.done_at).toISOString() : null;
}
