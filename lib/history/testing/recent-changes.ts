import type { HistoryItem } from "@/lib/history/model/item";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { presentRows } from "@/lib/history/server/read/present-row";
import { db } from "@/lib/platform/database/open";

/**
 * The newest outcomes of saves, changes made outside Gancho and revealed values, newest first, each with its detail
 * beside its columns.
 */
export async function recentChanges(partnerId: string, environment: string) {
  const rows = await db()
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("kind", "in", ["save", "changed_outside", "shown_again", "authorization_reveal"])
    .where("outcome", "is not", null)
    .orderBy("seq", "desc")
    .limit(5)
    .execute();
  const items = await presentRows(partnerId, rows);
  return items.flatMap(({ detail, ...columns }): RecentChange[] =>
    detail === null ? [] : [{ ...columns, changes: [], problem: null, ...detail }],
  );
}

type RecentChange = Omit<HistoryItem, "detail"> & {
  changes: WebhookChange[];
  problem: string | null;
  earlier?: string;
  proposal?: { author: { name: string } };
  fingerprint?: string | null;
};
