import type { Configuration, HistoryEntry, SaveOutcome } from "./configuration";
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
export function settledOutcome(save: UnsettledSave, fresh: Configuration): SaveOutcome | null {
  const entry = fresh.recentChanges.find((candidate) => isOf(save, candidate));
  return !entry || entry.outcome === "seen" ? null : entry.outcome;
}

function isOf({ requestId, draft, opened }: UnsettledSave, entry: HistoryEntry): boolean {
  if (entry.kind !== "save") return false;
  if (requestId !== null) return entry.requestId === requestId;
  const known = opened.recentChanges.some(({ id }) => id === entry.id);
  return !known && entry.changes.every(({ after }) => after?.callbackUrl === draft.url);
}
