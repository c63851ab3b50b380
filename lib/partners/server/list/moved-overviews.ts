import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { forgetOverview } from "./overview";

const batchSize = 200;

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
