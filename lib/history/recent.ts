import "server-only";
import * as z from "zod/mini";
import { historyDetail } from "./entry";
import { findEntries } from "./find";
import { presentRow } from "./present-row";

/** How many a screen shows at once. */
const shown = 5;

const outcome = z.enum(["saved", "unchanged", "partial", "not_saved", "unknown", "seen"]);
const known = z.union([
  z.object({ kind: z.literal("save"), outcome, detail: historyDetail.save }),
  z.object({ kind: z.literal("changed_outside"), outcome, detail: historyDetail.changed_outside }),
]);

/**
 * The newest outcomes of saves and changes seen outside Gancho, newest first; an entry of another shape is left out.
 * Takes the partner's id on trust: ask `requirePartner` first.
 */
export async function recentChanges(partnerId: string, environment: string) {
  const criteria = { environment, kinds: ["save", "changed_outside"] };
  const { rows } = await findEntries(partnerId, criteria, null, shown);
  return rows.flatMap((row) => {
    const item = presentRow(row);
    const entry = known.safeParse(item).data;
    if (!entry) return [];
    const { kind, outcome, detail } = entry;
    return [
      {
        id: item.id,
        at: item.at,
        by: item.actor?.name ?? null,
        requestId: item.requestId,
        kind,
        outcome,
        changes: detail.changes,
        reason: "reason" in detail ? detail.reason : null,
      },
    ];
  });
}
