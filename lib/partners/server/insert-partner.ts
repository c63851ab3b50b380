import "server-only";
import type { Database } from "@/lib/platform/database/schema";
import type { Transaction } from "kysely";
import { indexPartner } from "@/lib/partners/server/list/index-partner";

/**
 * Adds a partner, so that the list finds it, unless one has the id already; says whether it did. Takes the caller's
 * right to do so on trust.
 */
export async function insertPartner(
  trx: Transaction<Database>,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const inserted = await trx
    .insertInto("partners")
    .values({ id, name, created_at: Date.now(), suspended_at: null })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return false;
  await indexPartner(trx, id);
  return true;
}
