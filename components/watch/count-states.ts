import type { DayState } from "@/lib/watch/model/band";

/** How many of each state, for the words beside a band. Apart from the band's schema, which the first load leaves out. */
export function countStates(states: readonly DayState[]): Record<DayState, number> {
  const counts = { confirmed: 0, changed_outside: 0, failing: 0, not_read: 0 };
  for (const state of states) counts[state] += 1;
  return counts;
}
