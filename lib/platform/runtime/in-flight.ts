import { withTimeout } from "./deadline";
import { processWide } from "./process-wide";

/**
 * The work of this process, and whether it is stopping. A stopping process finishes its work, even if the person who
 * requested it has left, and reports that it is not ready for more.
 */
const state = () =>
  processWide("in-flight", () => ({ works: new Set<Promise<unknown>>(), stopping: false }));

/** Counts `work` as in flight until it has ended. */
export function inFlight<T>(work: Promise<T>): Promise<T> {
  const { works } = state();
  works.add(work);
  const over = () => works.delete(work);
  work.then(over, over);
  return work;
}

/**
 * Resolves when everything that is in flight now has ended, whatever begins meanwhile; at the latest after
 * `timeoutMs`.
 */
export async function untilDone(timeoutMs: number): Promise<void> {
  await withTimeout(timeoutMs, Promise.allSettled(state().works));
}

export function isStopping(): boolean {
  return state().stopping;
}

/** For the program that ends this process. */
export function beginStopping(): void {
  state().stopping = true;
}
