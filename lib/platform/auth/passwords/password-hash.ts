import "server-only";
import { hash, verify } from "@node-rs/argon2";
import { hashCost } from "@/lib/platform/auth/passwords/hash-cost";
import type { CountedHash } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { tooMany } from "@/lib/platform/http/model/problem";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { availableParallelism } from "node:os";
import { normalisePassword } from "./password-rules";

/** The hash of an unknown password, of the same cost: checking against it takes as long as against a person's. */
const decoy = `$argon2id$v=19$m=${hashCost.memoryCost},t=${hashCost.timeCost},p=${hashCost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** PHC text with its own salt and cost. Throws `too_many_requests`. */
export async function hashPassword(password: string, counted: CountedHash): Promise<string> {
  return inHashingSlot(counted, () => hash(normalisePassword(password), hashCost));
}

/**
 * Whether the password matches the hash. A person without one (`null`) costs the same time as one with another
 * password, so that the delay does not reveal who exists. Throws `too_many_requests`.
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  counted: CountedHash,
): Promise<boolean> {
  const plain = normalisePassword(password);
  const matches = await inHashingSlot(counted, () => verify(passwordHash ?? decoy, plain));
  return matches && passwordHash !== null;
}

/** Each hash takes 64 MiB while it runs: without a bound a hundred sign-ins at once would take 6 GiB. */
const maxRunning = Math.min(4, availableParallelism());

/** In each line, which is about ten seconds of waiting; later callers are refused. */
const maxWaiting = 100;
const busySeconds = 10;

/**
 * So that one caller does not fill a line. Of one network, enough for an office whose people all sign in at once; of
 * one person, what their browsers ask for at once.
 */
const maxOfOne = { known: 3, strangers: 20 };

type Place = Pick<CountedHash, "line" | "of">;
type Entry = { of: string; begin: () => void };
type State = { free: number; lines: Record<Place["line"], Entry[]> };

const slots = () =>
  processWide("hashing-slots", (): State => ({
    free: maxRunning,
    lines: { known: [], strangers: [] },
  }));

/**
 * Runs `work` in its turn: first those whose browser or session is known, each line first come, first served. Their
 * counts are by person, so they cannot keep strangers waiting for long. Throws `too_many_requests` where too many of a
 * line wait already, of this network or person, or of all.
 */
export async function inHashingSlot<Result>(
  { line, of }: Place,
  work: () => Promise<Result>,
): Promise<Result> {
  const state = slots();
  if (state.free > 0) state.free--;
  else await waitInLine(state.lines[line], of, maxOfOne[line]);
  try {
    return await work();
  } finally {
    // Passes a slot straight to the next in line, so that no newcomer overtakes.
    const next = state.lines.known.shift() ?? state.lines.strangers.shift();
    if (next) next.begin();
    else state.free++;
  }
}

function waitInLine(entries: Entry[], of: string, mostOfOne: number): Promise<void> {
  const ofOne = entries.filter((entry) => entry.of === of);
  if (entries.length >= maxWaiting || ofOne.length >= mostOfOne) throw tooMany(busySeconds);
  return new Promise((begin) => entries.push({ of, begin }));
}
