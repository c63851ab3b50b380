import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { indexPartner } from "./index-partner";
import { forgetOverview } from "./overview";

const batchSize = 200;

/**
 * Indexes partners that the list cannot find by any word yet: those from before there was an index, and those that a
 * program added without it. Safe when several processes start at once.
 */
export async function indexMissingPartners(db: Db): Promise<void> {
  for (;;) {
    const missing = await db
      .selectFrom("partners")
      .leftJoin("partner_words", "partner_words.partner_id", "partners.id")
      .select("partners.id")
      .where("partner_words.partner_id", "is", null)
      .orderBy("partners.id")
      .limit(batchSize)
      .execute();
    if (missing.length === 0) return;
    await db.transaction().execute(async (trx) => {
      for (const { id } of missing) await indexPartner(trx, id);
    });
  }
}

/**
 * After an environment moved to another base address, deletes what was read at the old one, so that no partner is found
 * or counted by it. An instance that still reads there may add to it until it stops; nobody sees that.
 */
export async function deleteOverviewsOfOldAddresses(
  db: Db,
  environments: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [environment, baseUrl] of environments)
    for (;;) {
      const moved = await db
        .selectFrom("partner_overviews")
        .select("partner_id")
        .where("environment", "=", environment)
        .where("base_url", "!=", baseUrl)
        .limit(batchSize)
        .execute();
      if (moved.length === 0) break;
      await db.transaction().execute(async (trx) => {
        for (const { partner_id: partnerId } of moved)
          await forgetOverview(trx, { partnerId, environment });
      });
    }
}
