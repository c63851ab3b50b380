import "server-only";
import { networksOf } from "@/lib/platform/auth/sign-in/network-of";
import { tooMany } from "@/lib/platform/http/model/refusals";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { availableParallelism } from "node:os";

/** Each hash takes 64 MiB while it runs: without a bound a hundred sign-ins at once would take 6 GiB. */
const running = Math.min(4, availableParallelism());

/** About ten seconds of waiting; later callers had better come back. */
const waiting = 100;
const busySeconds = 10;

/** So that one caller does not fill the queue. An office whose people all sign in at once has as many. */
const waitingFromNetwork = 20;

type Entry = { network: string; begin: () => void };
type State = { free: number; queue: Entry[] };

const slots = () => processWide("hashing-slots", (): State => ({ free: running, queue: [] }));

/**
 * Runs `work` in its turn, first come, first served. Throws `too_many_requests` where too many wait already, of this
 * network or of all.
 */
export async function inHashingSlot<Result>(
  clientAddress: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  const state = slots();
  if (state.free > 0) state.free--;
  else await waitInLine(state.queue, networksOf(clientAddress).network);
  try {
    return await work();
  } finally {
    // Passes a slot straight to the next in line, so that no newcomer overtakes.
    const next = state.queue.shift();
    if (next) next.begin();
    else state.free++;
  }
}

function waitInLine(queue: Entry[], network: string): Promise<void> {
  const ofNetwork = queue.filter((entry) => entry.network === network);
  if (queue.length >= waiting || ofNetwork.length >= waitingFromNetwork) throw tooMany(busySeconds);
  return new Promise((begin) => queue.push({ network, begin }));
}
