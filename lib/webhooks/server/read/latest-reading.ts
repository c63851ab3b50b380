import "server-only";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { readTimings } from "@/lib/platform/runtime/timings";

/** Readings that are under way, or began a moment ago: there are never more than connections that people look at. */
const latest = () => processWide("latest-readings", () => new Map<string, Promise<unknown>>());

/**
 * A reading for people, at most twice a second in each process: whoever asks sooner, or while one is under way, gets
 * the outcome of the latest one. So no one uses up what the service allows to Gancho for others. `isOwn`: it began for
 * this caller.
 */
export function latestReading<Outcome>(
  name: string,
  read: () => Promise<Outcome>,
): { isOwn: boolean; outcome: Promise<Outcome> } {
  const known = latest().get(name);
  if (known) return { isOwn: false, outcome: known as Promise<Outcome> };
  const began = performance.now();
  const outcome = read();
  latest().set(name, outcome);
  const forget = () => latest().delete(name);
  const ended = () => {
    const leftMs = began + readTimings.betweenReadingsMs - performance.now();
    if (leftMs > 0) setTimeout(forget, leftMs).unref();
    else forget();
  };
  outcome.then(ended, forget);
  return { isOwn: true, outcome };
}
