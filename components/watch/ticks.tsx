import { cn } from "@/components/ui/cn";
import type { DayState } from "@/lib/watch/model/band";

/** An hour or a day, and the worst that was read in it. */
export type Tick = { key: string; title: string; state: DayState };

const colours: Record<DayState, string> = {
  confirmed: "bg-ok/60",
  changed_outside: "bg-warn",
  failing: "bg-bad",
  not_read: "bg-line",
};

/** A band of ticks, the oldest first. `label` says the same in words; a table with all of it belongs beside it. */
export function Ticks({ ticks, label }: { ticks: readonly Tick[]; label: string }) {
  return (
    <div role="img" aria-label={label} className="flex h-5 gap-px sm:gap-0.5">
      {ticks.map(({ key, title, state }) => (
        <span
          key={key}
          title={title}
          className={cn("min-w-0 flex-1 rounded-[2px] print:border", colours[state])}
        />
      ))}
    </div>
  );
}

/** How many of each state, for the words beside a band. */
export function countStates(states: readonly DayState[]): Record<DayState, number> {
  const counts = { confirmed: 0, changed_outside: 0, failing: 0, not_read: 0 };
  for (const state of states) counts[state] += 1;
  return counts;
}
