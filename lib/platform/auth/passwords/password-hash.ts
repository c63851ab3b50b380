import "server-only";
import { hash, verify } from "@node-rs/argon2";
import { hashCost } from "@/lib/platform/auth/passwords/hash-cost";
import { inHashingSlot } from "./hashing-slots";
import { normalisePassword } from "./password-rules";

/** The hash of an unknown password, of the same cost: checking against it takes as long as against a person's. */
const nobody = `$argon2id$v=19$m=${hashCost.memoryCost},t=${hashCost.timeCost},p=${hashCost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * PHC text with its own salt and cost. Whoever asks over the network was counted before (`sign-in-throttle.ts`), here as
 * in `verifyPassword`; `clientAddress` is null for programs. Throws `too_many_requests`.
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
  const matches = await inHashingSlot(clientAddress, () => verify(passwordHash ?? nobody, plain));
  return matches && passwordHash !== null;
}
