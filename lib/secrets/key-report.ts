import "server-only";
import type { Db } from "@/lib/db/open";
import { closedKeys } from "./closed-keys";
import { keyUse } from "./key-faults";
import type { Keyring } from "./keyring";
import { notedKeys } from "./wrapping-keys";

/** One key of ENCRYPTION_KEYS, or one that something is still sealed under. */
export type KeyReport = {
  id: string;
  /** Partners whose data key is wrapped under it. */
  partners: number;
  /** `stands_by`: nothing was ever wrapped under it. */
  state: "active" | "in_use" | "retired" | "stands_by";
  configured: boolean;
};

export type KeysReport = {
  keys: KeyReport[];
  /** Partners whose data key does not open with this keyring. */
  closed: string[];
};

/** What each key is still needed for. Opens every data key, and changes nothing. */
export async function reportKeys(db: Db, keyring: Keyring): Promise<KeysReport> {
  const use = await keyUse(db);
  const noted = new Map((await notedKeys(db)).map((key) => [key.id, key]));
  const ids = new Set([...keyring.all.map(({ id }) => id), ...use.keys()]);
  const keys = [...ids].map((id) => ({
    id,
    partners: use.get(id) ?? 0,
    state: id === keyring.active.id ? ("active" as const) : stateOf(noted.get(id)),
    configured: keyring.find(id) !== undefined,
  }));
  return { keys, closed: await closedKeys(db, keyring) };
}

function stateOf(noted: { retired_at: number | null } | undefined): KeyReport["state"] {
  if (!noted) return "stands_by";
  return noted.retired_at === null ? "in_use" : "retired";
}
