import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { tryUnwrapDataKey } from "./data-key";
import type { Keyring, WrappingKey } from "./envelope";
import type { KeyReport } from "./model/key-report";

/**
 * Why a process with this keyring must not serve. `missing`: data keys are wrapped under a key that is not configured;
 * `other_bytes`: the key of that id opens none of them. `dataKeys`: how many there are under it.
 */
export type KeyFault = { reason: "missing" | "other_bytes"; keyId: string; dataKeys: number };

/** Checked at start and in readiness, so that a missing key does not surface at a partner's first save. */
export async function keyFaults(db: Executor, keyring: Keyring): Promise<KeyFault[]> {
  const faults: KeyFault[] = [];
  for (const [keyId, dataKeys] of await keyUse(db)) {
    const key = keyring.find(keyId);
    if (!key) faults.push({ reason: "missing", keyId, dataKeys });
    else if (!(await opensSome(db, key))) faults.push({ reason: "other_bytes", keyId, dataKeys });
  }
  return faults;
}

/** By id of the wrapping key, how many data keys are wrapped under it. */
export async function keyUse(db: Executor): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("data_keys")
    .select(({ fn }) => ["wrapping_key_id", fn.countAll<number>().as("count")])
    .groupBy("wrapping_key_id")
    .orderBy("wrapping_key_id")
    .execute();
  return new Map(rows.map((row) => [row.wrapping_key_id, Number(row.count)]));
}

/** What each key is still needed for. Opens nothing: quick enough for a page. */
export async function keysInUse(db: Executor, keyring: Keyring): Promise<KeyReport[]> {
  const use = await keyUse(db);
  const ids = new Set([...keyring.all.map(({ id }) => id), ...use.keys()]);
  return [...ids].map((id) => {
    const dataKeys = use.get(id) ?? 0;
    if (id === keyring.active.id) return { id, dataKeys, standing: "active" };
    if (dataKeys === 0) return { id, dataKeys, standing: "unused" };
    return { id, dataKeys, standing: keyring.find(id) ? "needed" : "missing" };
  });
}

/** One row that opens proves the key; one that does not may be damaged. */
async function opensSome(db: Executor, key: WrappingKey): Promise<boolean> {
  const rows = await db
    .selectFrom("data_keys")
    .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
    .where("wrapping_key_id", "=", key.id)
    .limit(10)
    .execute();
  return rows.some((row) => tryUnwrapDataKey({ find: () => key }, row) !== null);
}
