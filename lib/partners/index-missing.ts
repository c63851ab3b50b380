import "server-only";
import type { Db } from "@/lib/db/open";
import { indexPartner } from "./index-partner";

const atOnce = 200;

/**
 * Lets the list find the partners that it does not know by any word yet: those from before there was an index, and
 * those that a program added beside it. Safe when several processes start at once.
 */
export async function indexMissingPartners(db: Db): Promise<void> {
  for (;;) {
    const missing = await db
      .selectFrom("partners")
      .leftJoin("partner_words", "partner_words.partner_id", "partners.id")
      .select("partners.id")
      .where("partner_words.partner_id", "is", null)
      .orderBy("partners.id")
      .limit(atOnce)
      .execute();
    if (missing.length === 0) return;
    await db.transaction().execute(async (trx) => {
      for (const { id } of missing) await indexPartner(trx, id);
    });
  }
}
