import { Deadline } from "./deadline";
import { processWide } from "./process-wide";

/**
 * What this process is about, and whether it was asked to end: it then finishes what it is about, also where whoever
 * asked has gone away, and says that it is not ready for more.
 */
const state = () =>
  processWide("in-flight", () => ({ works: new Set<Promise<unknown>>(), stopping: false }));

/** Counts `work` as under way until it has ended. */
export function inFlight<T>(work: Promise<T>): Promise<T> {
  const { works } = state();
  works.add(work);
  const over = () => works.delete(work);
  work.then(over, over);
  return work;
}

/** Resolves when all that is under way now has ended, whatever is begun meanwhile; or after `patienceMs`. */
export async function untilDone(patienceMs: number): Promise<void> {
  const deadline = new Deadline({ ms: patienceMs });
  await deadline.race(Promise.allSettled(state().works));
  deadline.end();
}

export function isStopping(): boolean {
  return state().stopping;
}

/** For the program that ends this process. */
export function beginStopping(): void {
  state().stopping = true;
}
