import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { keyUse } from "./key-faults";
import type { Keyring } from "./envelope";
import type { KeyReport } from "./model/key-report";

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
