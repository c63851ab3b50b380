import "server-only";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { hashCost } from "@/lib/platform/auth/passwords/hash-cost";
import { inHashingSlot, type HashCaller } from "./hashing-slots";
import { normalisePassword } from "./password-rules";

/** The hash of an unknown password, of the same cost: checking against it takes as long as against a person's. */
const nobody = `$argon2id$v=19$m=${hashCost.memoryCost},t=${hashCost.timeCost},p=${hashCost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** PHC text with its own salt and cost; callers have proved something first. Throws `TooManyHashesError`. */
export async function hashPassword(
  password: string,
  caller: HashCaller = "ourselves",
): Promise<string> {
  return inHashingSlot(caller, () => hash(normalisePassword(password), hashCost));
}

/**
 * Whether the password matches the hash. A person without one (`null`) costs the same time as one with another
 * password, so that the delay does not reveal who exists. Throws `TooManyHashesError`.
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  caller: HashCaller,
): Promise<boolean> {
  const plain = normalisePassword(password);
  const matches = await inHashingSlot(caller, () => verify(passwordHash ?? nobody, plain));
  return matches && passwordHash !== null;
}

/** Whether the hash has another cost than today's. */
export function needsRehash(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(passwordHash);
  return (
    memoryCost !== hashCost.memoryCost ||
    timeCost !== hashCost.timeCost ||
    parallelism !== hashCost.parallelism
  );
}
