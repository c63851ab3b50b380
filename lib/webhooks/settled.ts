import type { Configuration, HistoryEntry, SaveResult, WaitingResult } from "./configuration";
import type { Draft } from "./draft";

/** A save whose outcome was not known when its answer came, or whose answer never came. */
export type UnsettledSave = {
  /** Null where no answer came. */
  requestId: string | null;
  draft: Draft;
  /** What the person was looking at when they saved. */
  opened: Configuration;
};

/**
 * How such a save ended, by the history that a later look brought along. Null while nothing is recorded: it never
 * arrived, or is still under way.
 */
export function settledResult(save: UnsettledSave, fresh: Configuration): SaveResult | null {
  const entry = fresh.recentChanges.find((candidate) => isOf(save, candidate));
  if (!entry || entry.outcome === "seen" || entry.outcome === "revealed") return null;
  return {
    outcome: entry.outcome,
    results: entry.changes.flatMap(({ type, outcome }) =>
      outcome === "seen" ? [] : [{ type, outcome }],
    ),
    configuration: fresh,
    requestId: entry.requestId ?? "",
  };
}

function isOf({ requestId, draft, opened }: UnsettledSave, entry: HistoryEntry): boolean {
  if (entry.kind !== "save") return false;
  if (requestId !== null) return entry.requestId === requestId;
  const known = opened.recentChanges.some(({ id }) => id === entry.id);
  return !known && entry.changes.every(({ after }) => after?.callbackUrl === draft.url);
}

/** The proposal that such a save became instead; null where there is none. */
export function waitingResult(
  { requestId, draft, opened }: UnsettledSave,
  fresh: Configuration,
): WaitingResult | null {
  const known = new Set(opened.proposals?.map(({ id }) => id));
  const made = fresh.proposals?.find(({ id, url, type }) => {
    return !known.has(id) && url === draft.url && type === draft.type;
  });
  return made
    ? {
        outcome: "waiting",
        results: [],
        proposal: made.id,
        configuration: fresh,
        requestId: requestId ?? "",
      }
    : null;
}
