import type { Db } from "@/lib/platform/database/open";
import { keyFaults, type KeyFault } from "@/lib/platform/secrets/key-faults";
import type { Keyring } from "@/lib/platform/secrets/envelope";
import { Misconfigured } from "./failure";
import { counted } from "./key-lines";

/** Makes sure that ENCRYPTION_KEYS opens this database. Throws `Failure`, one line each, with ids and never with keys. */
export async function matchKeys(db: Db, keyring: Keyring): Promise<void> {
  const lines = await keyProblems(db, keyring);
  if (lines.length > 0) throw new Misconfigured(...lines);
}

export async function keyProblems(db: Db, keyring: Keyring): Promise<string[]> {
  return (await keyFaults(db, keyring)).map(inWords);
}

function inWords({ reason, keyId, dataKeys }: KeyFault): string {
  return reason === "missing"
    ? `ENCRYPTION_KEYS lacks the key ${keyId}, which encrypts ${counted(dataKeys)}: add it back after the active key, and run rotate-keys before you remove it`
    : `ENCRYPTION_KEYS has another key under the id ${keyId} than the one that encrypts ${counted(dataKeys)}: put that one back, and give a new key an id that was never used`;
}
