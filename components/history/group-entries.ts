import type { CheckedItem } from "@/lib/history/model/item";
import type { Description } from "./entry-words";

/** One line of the timeline: an entry, and the earlier ones that say the same. */
type Run = { first: CheckedItem; others: CheckedItem[] };

export type Day = {
  /** `YYYY-MM-DD` in the reader's zone. */
  day: string;
  /** A timestamp within it. */
  at: string;
  runs: Run[];
};

/** Fewer than this are as quick to read as their summary. */
const minRunLength = 3;

/** People search a history for each of these by itself. */
const alwaysAlone: ReadonlySet<string> = new Set(["authorization_reveal"]);

/** Entries by the reader's days, in their order; entries that only repeat each other share a line. */
export function groupEntries(
  entries: readonly CheckedItem[],
  describe: (item: CheckedItem) => Description,
  timeZone: string,
): Day[] {
  // Canada's English writes a date as ISO 8601 does.
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  const days: Day[] = [];
  for (const item of entries) {
    const day = format.format(new Date(item.at));
    if (days.at(-1)?.day !== day) days.push({ day, at: item.at, runs: [] });
    const runs = days.at(-1)?.runs ?? [];
    const last = runs.at(-1);
    const kind = last && likeness(item, describe);
    if (last && kind !== null && kind === likeness(last.first, describe)) last.others.push(item);
    else runs.push({ first: item, others: [] });
  }
  return days.map(({ runs, ...day }) => ({ ...day, runs: runs.flatMap(unlessShort) }));
}

function unlessShort({ first, others }: Run): Run[] {
  if (others.length + 1 >= minRunLength) return [{ first, others }];
  return [first, ...others].map((item) => ({ first: item, others: [] }));
}

/** The text of a line without its time; null for one that stands alone: it has a difference, or is not as recorded. */
function likeness(item: CheckedItem, describe: (item: CheckedItem) => Description): string | null {
  if (!item.intact || alwaysAlone.has(item.kind)) return null;
  const { sentence, notes, changes = [], requested = [] } = describe(item);
  if (changes.length > 0 || requested.length > 0) return null;
  const { kind, outcome, actor, clientAddress, environment } = item;
  return JSON.stringify([kind, outcome, actor, clientAddress, environment, sentence, notes]);
}
