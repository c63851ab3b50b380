import type { SaveOutcome, SaveResult } from "./configuration";
import { sameState, type State } from "./state";

export type TypeOutcome = SaveResult["results"][number]["outcome"];

/**
 * How a save of one type ended, judged by what the service holds, never by what it answered to the write.
 * `now` is undefined where it could not be read back.
 */
export function verdictOf(before: State, wish: State, now: State | undefined): TypeOutcome {
  if (sameState(before, wish)) return "unchanged";
  if (now === undefined) return "unknown";
  if (sameState(now, wish)) return before ? "overwritten" : "created";
  if (sameState(now, before)) return "not_saved";
  return "unknown";
}

/** One word for the whole save. A type that had nothing to change does not count, unless there is no other. */
export function outcomeOf(verdicts: readonly TypeOutcome[]): SaveOutcome {
  const asked = verdicts.filter((verdict) => verdict !== "unchanged");
  if (asked.length === 0) return "unchanged";
  if (asked.includes("unknown")) return "unknown";
  const done = asked.filter((verdict) => verdict !== "not_saved");
  if (done.length === asked.length) return "saved";
  return done.length === 0 ? "not_saved" : "partial";
}
