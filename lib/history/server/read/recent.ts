import "server-only";
import * as z from "zod/mini";
import { historyDetail } from "@/lib/history/model/entry";
import { saveOutcomes } from "@/lib/history/model/outcomes";
import { findEntries } from "./find";
import { presentRows } from "./present-row";

/** How many a screen shows at once. */
const shown = 5;

const changed = [...saveOutcomes, "seen"] as const;
const outcome = z.enum(changed);
const known = z.union([
  z.object({ kind: z.literal("save"), outcome, detail: historyDetail.save }),
  z.object({ kind: z.literal("changed_outside"), outcome, detail: historyDetail.changed_outside }),
  z.object({ kind: z.literal("shown_again"), outcome, detail: historyDetail.shown_again }),
  z.object({
    kind: z.literal("authorization_reveal"),
    outcome: z.literal("revealed"),
    detail: historyDetail.authorization_reveal,
  }),
]);

/**
 * The newest outcomes of saves, changes seen outside Gancho and values that were revealed, newest first; an entry of
 * another shape is left out.
 * Takes the partner's id on trust: ask `requirePartner` first.
 */
export async function recentChanges(partnerId: string, environment: string) {
  const criteria = {
    environment,
    kinds: ["save", "changed_outside", "shown_again", "authorization_reveal"],
    outcomes: [...changed, "revealed"],
  };
  const { rows } = await findEntries(partnerId, criteria, null, shown);
  const items = await presentRows(partnerId, rows);
  return items.flatMap((item) => {
    const entry = known.safeParse(item).data;
    if (!entry) return [];
    const { kind, outcome, detail } = entry;
    return [
      {
        id: item.id,
        seq: item.seq,
        at: item.at,
        by: item.actor?.name ?? null,
        ...("proposal" in detail && detail.proposal
          ? { proposedBy: detail.proposal.author.name }
          : {}),
        requestId: item.requestId,
        kind,
        outcome,
        types: item.types,
        changes: "changes" in detail ? detail.changes : [],
        reason: "reason" in detail ? detail.reason : null,
        ...("earlier" in detail && detail.earlier ? { earlier: detail.earlier } : {}),
      },
    ];
  });
}
