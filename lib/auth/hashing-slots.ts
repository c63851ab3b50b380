import "server-only";
import { processWide } from "@/lib/process-wide";
import { availableParallelism } from "node:os";

/** Each hash takes 64 MiB while it runs: without a bound a hundred sign-ins at once would take 6 GiB. */
const running = Math.min(4, availableParallelism());

/** About ten seconds of waiting; whoever comes then is better told to come back. */
const waiting = 100;

/** There are more passwords to check than this process can in good time. */
export class TooManyHashesError extends Error {
  constructor() {
    super("too many passwords to check at once");
    this.name = "TooManyHashesError";
  }
}

const slots = () =>
  processWide("hashing-slots", () => ({ free: running, queue: [] as (() => void)[] }));

/** Runs `work` when it is its turn, first come, first served. Throws `TooManyHashesError` when the queue is full. */
export async function inHashingSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  const state = slots();
  if (state.free > 0) state.free--;
  else if (state.queue.length >= waiting) throw new TooManyHashesError();
  else await new Promise<void>((turn) => state.queue.push(turn));
  try {
    return await work();
  } finally {
    // A slot goes straight to the next in line, so that nobody who has just come overtakes.
    const next = state.queue.shift();
    if (next) next();
    else state.free++;
  }
}
