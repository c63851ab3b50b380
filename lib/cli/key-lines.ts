import type { Db } from "@/lib/platform/database/open";
import type { Keyring } from "@/lib/platform/secrets/envelope";
import { keyFaults, type KeyFault } from "@/lib/platform/secrets/key-faults";
import type { KeyReport } from "@/lib/platform/secrets/model/key-report";
import { Misconfigured } from "./failure";

/** What a key is still needed for, as one line for an operator. */
export function keyLine({ id, dataKeys, standing }: KeyReport): string {
  switch (standing) {
    case "active":
      return `${id}: active, encrypts ${counted(dataKeys)}.`;
    case "needed":
      return `${id}: still needed for ${counted(dataKeys)}; rotate-keys brings them under the active key.`;
    case "missing":
      return `${id} (not in ENCRYPTION_KEYS): still needed for ${counted(dataKeys)}; put it back.`;
    case "unused":
      return `${id}: needed by no data key; backups from before may need it.`;
  }
}

export function counted(dataKeys: number): string {
  return dataKeys === 1 ? "1 data key" : `${dataKeys.toLocaleString("en")} data keys`;
}

/**
 * Makes sure that ENCRYPTION_KEYS opens this database. Throws `CliError`, one line each, with ids and never with keys.
 */
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
