import type { Db } from "@/lib/platform/database/open";
import { keyFaults, type KeyFault } from "@/lib/platform/secrets/key-faults";
import type { Keyring } from "@/lib/platform/secrets/keyring";
import { recordKey } from "@/lib/platform/secrets/wrapping-keys";
import { Misconfigured } from "./failure";

/** `retired`: accept a keyring with retired keys alone, for the command that takes one into use again. */
export type KeysAllowed = { retired?: boolean };

/**
 * Makes sure that ENCRYPTION_KEYS opens this database, and equals that of the other instances. Throws `Failure`, one
 * line each, with ids and never with keys.
 */
export async function matchKeys(db: Db, keyring: Keyring, allowed: KeysAllowed): Promise<void> {
  const lines = await keyProblems(db, keyring, allowed);
  if (lines.length > 0) throw new Misconfigured(...lines);
  await recordKey(db, keyring.active);
}

/** The same without recording anything: the problems with the keys. */
export async function keyProblems(
  db: Db,
  keyring: Keyring,
  { retired = false }: KeysAllowed = {},
): Promise<string[]> {
  const faults = await keyFaults(db, keyring);
  return faults.filter(({ reason }) => !(retired && reason === "all_retired")).map(inWords);
}

function inWords(fault: KeyFault): string {
  switch (fault.reason) {
    case "missing":
      return `ENCRYPTION_KEYS lacks the key ${fault.keyId}, under which the secrets of ${partners(fault.partners)} are sealed: add it back after the active key, and run rotate-keys before you remove it`;
    case "other_bytes":
      return `ENCRYPTION_KEYS has another key under the id ${fault.keyId} than ${sealedOrKnown(fault.partners)}: put that one back, and give a new key an id that was never used`;
    case "all_retired":
      return `ENCRYPTION_KEYS has only keys that rotate-keys took out of use, ${fault.keyId} first: put the one in use in front (${fault.inUse.join(", ")})`;
  }
}

function sealedOrKnown(count: number): string {
  return count > 0
    ? `the one that sealed the secrets of ${partners(count)}`
    : "the other instances of this installation";
}

export function partners(count: number): string {
  return count === 1 ? "1 partner" : `${count.toLocaleString("en")} partners`;
}
