import "server-only";
import { hash, verify } from "@node-rs/argon2";
import { hashCost } from "@/lib/platform/auth/passwords/hash-cost";
import { networksOf } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { tooMany } from "@/lib/platform/http/model/problem";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { availableParallelism } from "node:os";
import { normalisePassword } from "./password-rules";

/** The hash of an unknown password, of the same cost: checking against it takes as long as against a person's. */
const decoy = `$argon2id$v=19$m=${hashCost.memoryCost},t=${hashCost.timeCost},p=${hashCost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * PHC text with its own salt and cost. The caller has counted a network request before (`sign-in-throttle.ts`), as for
 * `verifyPassword`; `clientAddress` is null for programs. Throws `too_many_requests`.
 */
export async function hashPassword(
  password: string,
  clientAddress: string | null = null,
): Promise<string> {
  return inHashingSlot(clientAddress, () => hash(normalisePassword(password), hashCost));
}

/**
 * Whether the password matches the hash. A person without one (`null`) costs the same time as one with another
 * password, so that the delay does not reveal who exists. Throws `too_many_requests`.
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  clientAddress: string | null,
): Promise<boolean> {
  const plain = normalisePassword(password);
  const matches = await inHashingSlot(clientAddress, () => verify(passwordHash ?? decoy, plain));
  return matches && passwordHash !== null;
}

/** Each hash takes 64 MiB while it runs: without a bound a hundred sign-ins at once would take 6 GiB. */
const maxRunning = Math.min(4, availableParallelism());

/** About ten seconds of waiting; later callers are refused. */
const maxWaiting = 100;
const busySeconds = 10;

/** So that one caller does not fill the queue; enough for an office whose people all sign in at once. */
const maxPerNetwork = 20;

type Entry = { network: string; begin: () => void };
type State = { free: number; queue: Entry[] };

const slots = () => processWide("hashing-slots", (): State => ({ free: maxRunning, queue: [] }));

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
  if (queue.length >= maxWaiting || ofNetwork.length >= maxPerNetwork) throw tooMany(busySeconds);
  return new Promise((begin) => queue.push({ network, begin }));
}
