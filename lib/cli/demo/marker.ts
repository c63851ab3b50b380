import type { Executor } from "@/lib/platform/database/open";

/** A database with this marker has people with a public password. */
const name = "demo";

export async function isDemoDatabase(db: Executor): Promise<boolean> {
  const row = await db
    .selectFrom("markers")
    .select("name")
    .where("name", "=", name)
    .executeTakeFirst();
  return row !== undefined;
}

export async function markAsDemo(db: Executor): Promise<void> {
  await db
    .insertInto("markers")
    .values({ name, done_at: Date.now() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}
