import "server-only";
import type { Database } from "@/lib/platform/database/schema";
import type { Transaction } from "kysely";

/**
 * Puts changes of what one partner's people may do one after the other, on both engines: writes to the partner's row,
 * so that the second of two transactions waits here and then sees what the first one did.
 */
export async function lockPartner(trx: Transaction<Database>, partnerId: string): Promise<void> {
  await trx
    .updateTable("partners")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", partnerId)
    .execute();
}
