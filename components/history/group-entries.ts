import type { CheckedItem } from "@/lib/history/model/item";
import type { Description } from "./entry-words";

/** One line of the timeline: an entry, and the earlier entries that repeat it. */
type Run = { first: CheckedItem; others: CheckedItem[] };

/** `goesOn`: the next line, which is earlier, is about the same proposal. */
type Line = Run & { goesOn: boolean };

export type Day = {
  /** `YYYY-MM-DD` in the reader's zone. */
  day: string;
  /** A timestamp within that day. */
  at: string;
  runs: Line[];
};

/** A summary of fewer entries than this would save no reading. */
const minRunLength = 3;

/** People look for each of these, so none may hide in a run. */
const neverGrouped: ReadonlySet<string> = new Set(["authorization_reveal"]);

/** Groups entries by the reader's days, in order. Entries that only repeat each other share a line. */
export function groupEntries(
  entries: readonly CheckedItem[],
  describe: (item: CheckedItem) => Description,
  timeZone: string,
): Day[] {
  // Canadian English formats a date as ISO 8601 does.
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  const days: (Omit<Day, "runs"> & { runs: Run[] })[] = [];
  for (const item of entries) {
    const day = format.format(new Date(item.at));
    if (days.at(-1)?.day !== day) days.push({ day, at: item.at, runs: [] });
    const runs = days.at(-1)?.runs ?? [];
    const last = runs.at(-1);
    const kind = last && groupKey(item, describe);
    if (last && kind !== null && kind === groupKey(last.first, describe)) last.others.push(item);
    else runs.push({ first: item, others: [] });
  }
  return days.map(({ runs, ...day }) => ({
    ...day,
    runs: joined(runs.flatMap(splitShortRun), describe),
  }));
}

/** What was proposed, approved, sent and shown is one change, so its lines read as one. */
function joined(runs: readonly Run[], describe: (item: CheckedItem) => Description): Line[] {
  const proposalOf = (run?: Run) => run?.first.intact && describe(run.first).proposal;
  return runs.map((run, at) => {
    const proposal = proposalOf(run);
    return { ...run, goesOn: !!proposal && proposal === proposalOf(runs[at + 1]) };
  });
}

function splitShortRun({ first, others }: Run): Run[] {
  if (others.length + 1 >= minRunLength) return [{ first, others }];
  return [first, ...others].map((item) => ({ first: item, others: [] }));
}

/** What entries that share a line have in common; null if the entry has a diff, was altered, or is never grouped. */
function groupKey(item: CheckedItem, describe: (item: CheckedItem) => Description): string | null {
  if (!item.intact || neverGrouped.has(item.kind)) return null;
  const { sentence, notes, changes = [], requested = [] } = describe(item);
  if (changes.length > 0 || requested.length > 0) return null;
  const { kind, outcome, actor, clientAddress, environment } = item;
  return JSON.stringify([kind, outcome, actor, clientAddress, environment, sentence, notes]);
}
