import "server-only";
import type { Executor } from "@/lib/db/open";
import { EnvelopeError } from "./envelope";
import { unwrapDataKey } from "./data-key";
import type { Keyring } from "./keyring";

/**
 * The ids of wrapping keys without which some partner's secrets stay closed: missing from ENCRYPTION_KEYS, or there
 * with other bytes. Better learnt at the start than at a partner's first save.
 */
export async function lostKeys(db: Executor, keyring: Keyring): Promise<string[]> {
  const rows = await db
    .selectFrom("data_keys")
    .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
    .execute();
  return [...new Set(rows.filter((row) => !opens(keyring, row)).map((row) => row.wrapping_key_id))];
}

function opens(keyring: Keyring, row: Parameters<typeof unwrapDataKey>[1]): boolean {
  try {
    unwrapDataKey(keyring, row);
    return true;
  } catch (error) {
    if (error instanceof EnvelopeError) return false;
    throw error;
  }
}
