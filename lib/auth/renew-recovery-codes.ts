import "server-only";
import type { Db } from "@/lib/db/open";
import { issueRecoveryCodes } from "./recovery-codes";

/**
 * Ten new recovery codes for a person who signs in with codes; those from before are worth nothing from that moment.
 * null where they have no codes set up any more: then there is nothing that they would be for.
 */
export async function renewRecoveryCodes(db: Db, userId: string): Promise<string[] | null> {
  return db.transaction().execute(async (trx) => {
    // Writes first, so that of two at once the second waits here, then takes away what the first one gave.
    const held = await trx
      .updateTable("one_time_codes")
      .set((eb) => ({ last_step: eb.ref("last_step") }))
      .where("user_id", "=", userId)
      .where("confirmed_at", "is not", null)
      .executeTakeFirst();
    return held.numUpdatedRows === 1n ? issueRecoveryCodes(trx, userId) : null;
  });
}
