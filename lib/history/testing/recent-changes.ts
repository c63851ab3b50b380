import type { HistoryItem } from "@/lib/history/model/item";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { presentRows } from "@/lib/history/server/read/present-row";
import { db } from "@/lib/platform/database/open";

/**
 * The newest entries on what became of saves, on differences that none asked for and on revealed values, newest first,
 * each with its detail beside its columns.
 */
export async function recentChanges(partnerId: string, environment: string) {
  const rows = await db()
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("kind", "in", [
      "save_sent",
      "save_shown",
      "save_not_shown",
      "changed_outside",
      "authorization_reveal",
    ])
    .where("outcome", "is not", null)
    .orderBy("seq", "desc")
    .limit(9)
    .execute();
  const items = await presentRows(partnerId, rows);
  return items.flatMap(({ detail, ...columns }): RecentChange[] =>
    detail === null ? [] : [{ ...columns, changes: [], problem: null, ...detail }],
  );
}

type RecentChange = Omit<HistoryItem, "detail"> & {
  changes: WebhookChange[];
  problem: string | null;
  late?: true;
  proposal?: { author: { name: string } };
  fingerprint?: string | null;
};
