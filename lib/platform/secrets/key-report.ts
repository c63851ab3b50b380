import "server-only";
import type { Db, Executor } from "@/lib/platform/database/open";
import { closedKeys } from "./closed-keys";
import type { Keyring } from "./keyring";
import { notedKeys } from "./wrapping-keys";

/** One key of ENCRYPTION_KEYS, or one that something is still sealed under. */
export type KeyReport = {
  id: string;
  /** Partners whose data key is wrapped under it. */
  partners: number;
  /** Whether what belongs to the people of the installation is: their history and one-time codes. */
  people: boolean;
  standing: KeyStanding;
};

/**
 * What stands between a key and its removal. `missing`: needed, and not configured; `unsure`: another copy may still seal
 * something under it; `stands_by`: nothing was ever wrapped under it.
 */
export type KeyStanding = "active" | "needed" | "missing" | "removable" | "stands_by" | "unsure";

export type KeysReport = {
  keys: KeyReport[];
  /** Partners whose data key does not open with this keyring. */
  closed: string[];
};

/** What each key is still needed for. Opens every data key, and changes nothing. */
export async function reportKeys(db: Db, keyring: Keyring): Promise<KeysReport> {
  return { keys: await keysInUse(db, keyring), closed: await closedKeys(db, keyring) };
}

/** The same without opening anything: quick enough for a page. */
export async function keysInUse(db: Executor, keyring: Keyring): Promise<KeyReport[]> {
  const use = await sealedUnder(db);
  const noted = new Map((await notedKeys(db)).map((key) => [key.id, key]));
  const ids = new Set([...keyring.all.map(({ id }) => id), ...use.keys()]);
  const standingOf = (id: string): KeyStanding => {
    if (id === keyring.active.id) return "active";
    if (use.has(id)) return keyring.find(id) ? "needed" : "missing";
    const key = noted.get(id);
    if (!key) return "stands_by";
    return key.retired_at === null ? "unsure" : "removable";
  };
  return [...ids].map((id) => ({
    id,
    ...(use.get(id) ?? { partners: 0, people: false }),
    standing: standingOf(id),
  }));
}

/** No partner's id begins with an @: what does is the people's. */
async function sealedUnder(
  db: Executor,
): Promise<Map<string, { partners: number; people: boolean }>> {
  const rows = await db
    .selectFrom("data_keys")
    .select(({ fn, eb }) => [
      "wrapping_key_id",
      fn.countAll<number>().as("all"),
      fn.sum<number>(eb.case().when("partner_id", "like", "@%").then(1).else(0).end()).as("people"),
    ])
    .groupBy("wrapping_key_id")
    .orderBy("wrapping_key_id")
    .execute();
  return new Map(
    rows.map(({ wrapping_key_id, all, people }) => [
      wrapping_key_id,
      { partners: Number(all) - Number(people), people: Number(people) > 0 },
    ]),
  );
}
