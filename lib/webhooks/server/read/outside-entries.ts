import "server-only";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { HistoryDetail } from "@/lib/history/model/entry";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { maxOutside, outsideThisHour } from "@/lib/history/server/record/alerts";
import type { Database } from "@/lib/platform/database/tables";
import { compareVersions } from "@/lib/webhooks/model/webhook-version";
import { webhookTypes } from "@/lib/webhooks/model/types";
import type { Transaction } from "kysely";
import type { LastKnownContent } from "./last-known";

type Gathered = NonNullable<LastKnownContent["gathered"]>;

type Found = {
  /** Changes in this fetch that no save explains. */
  outside: readonly WebhookChange[];
  /** What a save had set and is shown again. */
  again: readonly WebhookChange[];
  gathered: Gathered | undefined;
  /** A save begins or ended: earlier changes are recorded before it. */
  isOfSave: boolean;
};

/** What the history records now, in this order, and what waits for a later entry. */
type OutsideRecord = {
  entry: HistoryDetail["changed_outside"] | null;
  again: readonly WebhookChange[];
  gathered: Gathered | undefined;
};

/**
 * What the history records of outside changes, and what is kept for its next entry about them. Anybody with the
 * credentials can make as many as they like, and entries stay forever: so in an hour each connection gets `maxOutside`
 * entries, the last of which says so, and one for the others together once there is room again.
 */
export async function gatherOutside(
  trx: Transaction<Database>,
  environmentRef: { partnerId: string; environment: string },
  { outside, again, gathered, isOfSave }: Found,
): Promise<OutsideRecord> {
  if (outside.length === 0 && again.length === 0 && !gathered)
    return { entry: null, again, gathered: undefined };
  const follows = outside.every(({ type, before }) => {
    const earlier = gathered?.changes[type];
    return !earlier || compareVersions(earlier.after, before) !== "different";
  });
  // The change in between was a save, and has its own entry.
  if (gathered && !follows) return { entry: together(gathered), again, gathered: added(outside) };
  const recorded = await outsideThisHour(trx, environmentRef);
  if (recorded >= maxOutside && !isOfSave)
    return { entry: null, again: [], gathered: added([...outside, ...again], gathered) };
  const all = added(outside, gathered);
  const entry = gathered && all ? together(all) : { changes: [...outside] };
  if (entry.changes.length === 0) return { entry: null, again, gathered: undefined };
  const isLast = recorded === maxOutside - 1;
  return { entry: { ...entry, ...(isLast && { isLast }) }, again, gathered: undefined };
}

function added(outside: readonly WebhookChange[], before?: Gathered): Gathered | undefined {
  if (outside.length === 0) return before;
  const changes = { ...before?.changes };
  for (const { type, before: was, after } of outside)
    changes[type] = { before: changes[type] ? changes[type].before : was, after };
  return { changes, since: before?.since ?? databaseTime(), count: (before?.count ?? 0) + 1 };
}

function together({ changes, since, count }: Gathered): HistoryDetail["changed_outside"] {
  return {
    changes: webhookTypes.flatMap((type) => {
      const change = changes[type];
      return change ? [{ type, outcome: "seen", ...change }] : [];
    }),
    gathered: { since, count },
  };
}
