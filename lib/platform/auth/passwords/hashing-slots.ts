import "server-only";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { availableParallelism } from "node:os";
import { networksOf } from "@/lib/platform/auth/sign-in/network-of";

/** Each hash takes 64 MiB while it runs: without a bound a hundred sign-ins at once would take 6 GiB. */
const running = Math.min(4, availableParallelism());

/** In each lane. About ten seconds of waiting; later callers had better come back. */
const waiting = 100;

/** As many attempts as a device or an account has in an hour (sign-in-throttle.ts). */
const perPerson = 20;

/** An office whose people all sign in on new devices. */
const perNetwork = 10;
const perSite = 20;

/** How many known people in a row go before a waiting stranger: nobody waits for ever. */
const knownInARow = 3;

/**
 * The caller of a hash. `known`: the device or session by which Gancho knows them, or the link that lets them in;
 * anybody else is a stranger, known by address only. `ourselves` is the operator.
 */
export type HashCaller = { known: string } | { strangerFrom: string | null } | "ourselves";

/** More passwords to check than this process can in good time. */
export class TooManyHashesError extends Error {
  constructor() {
    super("too many passwords to check at once");
    this.name = "TooManyHashesError";
  }
}

type Entry = { keys: string[]; begin: () => void };
type State = { free: number; known: Entry[]; strangers: Entry[]; inARow: number };

const slots = (): State =>
  processWide("hashing-slots", () => ({ free: running, known: [], strangers: [], inARow: 0 }));

/**
 * Runs `work` in its turn. People whom Gancho knows go before strangers, who still get every fourth turn; within a
 * lane it is first come, first served, with a few places per caller. So a crowd of strangers costs a person on a known
 * device one hash of waiting. Throws `TooManyHashesError` where the lane is full.
 */
export async function inHashingSlot<Result>(
  caller: HashCaller,
  work: () => Promise<Result>,
): Promise<Result> {
  const state = slots();
  if (state.free > 0) state.free--;
  else await waitInLine(state, caller);
  try {
    return await work();
  } finally {
    // Passes a slot straight to the next in line, so that no newcomer overtakes.
    const next = nextOf(state);
    if (next) next.begin();
    else state.free++;
  }
}

function waitInLine(state: State, caller: HashCaller): Promise<void> {
  const isStranger = caller !== "ourselves" && "strangerFrom" in caller;
  const lane = isStranger ? state.strangers : state.known;
  const bounds = boundsOf(caller);
  const taken = (key: string) => lane.filter(({ keys }) => keys.includes(key)).length;
  if (lane.length >= waiting || bounds.some(({ key, most }) => taken(key) >= most))
    throw new TooManyHashesError();
  return new Promise((begin) => lane.push({ keys: bounds.map(({ key }) => key), begin }));
}

function boundsOf(caller: HashCaller): { key: string; most: number }[] {
  if (caller === "ourselves") return [];
  if ("known" in caller) return [{ key: caller.known, most: perPerson }];
  const { network, site } = networksOf(caller.strangerFrom);
  return [
    { key: network, most: perNetwork },
    ...(site === null ? [] : [{ key: site, most: perSite }]),
  ];
}

function nextOf(state: State): Entry | undefined {
  if (state.strangers.length === 0) {
    state.inARow = 0;
    return state.known.shift();
  }
  if (state.known.length === 0 || state.inARow >= knownInARow) {
    state.inARow = 0;
    return state.strangers.shift();
  }
  state.inARow++;
  return state.known.shift();
}
