import "server-only";
import * as z from "zod/mini";
import type { HistoryDetail, HistoryKind } from "@/lib/history/model/entry";
import { saveOutcomes } from "@/lib/history/model/outcomes";
import { findNewest } from "./find";
import { presentRows } from "./present-row";

/** How many a screen shows at once. */
const shown = 5;

const changed = [...saveOutcomes, "seen"] as const;
const outcome = z.enum(changed);

/** `presentRows` has parsed it by its kind. */
const detailOf = <Kind extends HistoryKind>(kind: Kind) =>
  z.object({
    kind: z.literal(kind),
    detail: z.custom<HistoryDetail[Kind]>((detail) => detail !== null),
  });
const known = z.discriminatedUnion("kind", [
  z.extend(detailOf("save"), { outcome }),
  z.extend(detailOf("changed_outside"), { outcome }),
  z.extend(detailOf("shown_again"), { outcome }),
  z.extend(detailOf("authorization_reveal"), { outcome: z.literal("revealed") }),
]);

/**
 * The newest outcomes of saves, changes made outside Gancho and revealed values, newest first; skips entries of another
 * shape. Takes the partner's id on trust: call `requirePartner` first.
 */
export async function recentChanges(partnerId: string, environment: string) {
  const criteria = {
    environment,
    kinds: ["save", "changed_outside", "shown_again", "authorization_reveal"],
    outcomes: [...changed, "revealed"],
  };
  const rows = await findNewest(partnerId, criteria, shown);
  // Without the client addresses, which nobody sees here: no key is opened for them.
  const items = await presentRows(
    partnerId,
    rows.map((row) => ({ ...row, client_address: null })),
  );
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
