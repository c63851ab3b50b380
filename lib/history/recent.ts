import "server-only";
import { db } from "@/lib/db/open";
import { historyDetail } from "./entry";

/** How many a screen shows at once. */
const shown = 5;

/**
 * The newest outcomes of saves and changes seen outside Gancho, newest first.
 * Takes the partner's id on trust: ask `requirePartner` first.
 */
export async function recentChanges(partnerId: string, environment: string) {
  const rows = await db()
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("kind", "in", ["save", "changed_outside"])
    .orderBy("seq", "desc")
    .limit(shown)
    .execute();
  return rows.map((row) => {
    const common = { id: row.id, at: row.at, by: row.actor_name, requestId: row.request_id };
    const detail: unknown = JSON.parse(row.detail_json);
    if (row.kind === "save") {
      const { changes, reason } = historyDetail.save.parse(detail);
      return { ...common, kind: "save" as const, outcome: row.outcome, changes, reason };
    }
    const { changes } = historyDetail.changed_outside.parse(detail);
    return {
      ...common,
      kind: "changed_outside" as const,
      outcome: row.outcome,
      changes,
      reason: null,
    };
  });
}
