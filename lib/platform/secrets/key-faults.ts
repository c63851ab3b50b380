import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { opensDataKey, type WrappedKey } from "./data-key";
import type { Keyring, WrappingKey } from "./keyring";
import { isAsNoted, notedKeys } from "./wrapping-keys";

/** Why a process with this keyring must not serve; `partners`: how many of them it would have to refuse. */
export type KeyFault =
  /** Partners' secrets are sealed under a key that is not configured. */
  | { reason: "missing"; keyId: string; partners: number }
  /** The other processes of this database, or what is sealed in it, know other bytes under this id. */
  | { reason: "other_bytes"; keyId: string; partners: number }
  /** Nothing new could be sealed: rotate-keys has retired all these keys. */
  | { reason: "all_retired"; keyId: string; inUse: string[] };

/** Better learnt at the start than at a partner's first save. Empty when all is well. */
export async function keyFaults(db: Executor, keyring: Keyring): Promise<KeyFault[]> {
  const use = await keyUse(db);
  const missing = [...use]
    .filter(([keyId]) => !keyring.find(keyId))
    .map(([keyId, partners]) => ({ reason: "missing" as const, keyId, partners }));
  const noted = new Map((await notedKeys(db)).map((key) => [key.id, key]));
  const others: KeyFault[] = [];
  for (const key of keyring.all) {
    const partners = use.get(key.id) ?? 0;
    const isRight =
      isAsNoted(key, noted.get(key.id)?.proof ?? null) ??
      (partners === 0 || (await opensSomething(db, key)));
    // While nothing at all is sealed, the bytes may still change.
    if (!isRight && use.size > 0) others.push({ reason: "other_bytes", keyId: key.id, partners });
  }
  const faults = [...missing, ...others];
  if (faults.length > 0) return faults;
  const isRetired = (id: string) => typeof noted.get(id)?.retired_at === "number";
  if (!keyring.all.every(({ id }) => isRetired(id))) return [];
  const inUse = [...noted.keys()].filter((id) => !isRetired(id));
  return [{ reason: "all_retired", keyId: keyring.active.id, inUse }];
}

/** By id of the wrapping key, how many partners' data keys are wrapped under it. */
export async function keyUse(db: Executor): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("data_keys")
    .select(({ fn }) => ["wrapping_key_id", fn.countAll<number>().as("partners")])
    .groupBy("wrapping_key_id")
    .orderBy("wrapping_key_id")
    .execute();
  return new Map(rows.map((row) => [row.wrapping_key_id, row.partners]));
}

/**
 * The ids of keys whose absence would now make this process refuse some partner; quick enough for a query every few
 * seconds.
 */
export async function lackingKeys(db: Executor, keyring: Keyring): Promise<string[]> {
  const lacking: string[] = [];
  for (const { id, proof } of await notedKeys(db)) {
    const own = keyring.find(id);
    const opens = own !== undefined && isAsNoted(own, proof) !== false;
    if (!opens && (await firstUnder(db, id, 1)).length > 0) lacking.push(id);
  }
  return lacking;
}

/** One row that opens proves the key; one that does not may be damaged. */
async function opensSomething(db: Executor, key: WrappingKey): Promise<boolean> {
  const rows = await firstUnder(db, key.id, 100);
  return rows.some((row) => opensDataKey({ find: () => key }, row));
}

async function firstUnder(db: Executor, keyId: string, count: number): Promise<WrappedKey[]> {
  return db
    .selectFrom("data_keys")
    .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
    .where("wrapping_key_id", "=", keyId)
    .limit(count)
    .execute();
}
