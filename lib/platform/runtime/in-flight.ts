import { withTimeout } from "./deadline";
import { setTimeout as pause } from "node:timers/promises";
import { processWide } from "./process-wide";

/** How often to check whether the process is stopping, milliseconds. */
const stopPollMs = 500;

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

/** Waits, but not for the whole time once this process stops or `awake` resolves. Keeps no process alive. */
export async function pauseUnlessStopping(ms: number, awake?: Promise<void>): Promise<void> {
  const until = performance.now() + ms;
  let isAwake = false;
  const waking = awake?.then(() => (isAwake = true));
  // In short waits, so that a stopping process ends soon.
  while (!isStopping() && !isAwake && performance.now() < until) {
    const part = pause(Math.min(stopPollMs, until - performance.now()), undefined, { ref: false });
    await (waking ? Promise.race([waking, part]) : part);
  }
}

/** For the program that ends this process. */
export function beginStopping(): void {
  state().stopping = true;
}
