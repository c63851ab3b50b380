import { vi } from "vitest";

/** Runs `work` while the time of day, and nothing else, is 25 hours ahead. */
export async function whileClockIsAhead(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 25 * 60 * 60_000 });
  await work().finally(() => vi.useRealTimers());
}
