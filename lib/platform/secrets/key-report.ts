import "server-only";
import { opensDataKey } from "./data-key";
import type { Db, Executor } from "@/lib/platform/database/open";
import type { Keyring } from "./keyring";
import type { KeyReport, KeyStanding } from "./model/key-report";
import { notedKeys } from "./wrapping-keys";

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

/** Only the people's ids begin with an @, no partner's. */
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

const batchSize = 500;

/** Partners whose data key does not open with this keyring: damaged, moved, or under a key that it lacks. */
async function closedKeys(db: Db, keyring: Keyring): Promise<string[]> {
  const closed: string[] = [];
  for (let after = ""; ;) {
    const rows = await db
      .selectFrom("data_keys")
      .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
      .where("partner_id", ">", after)
      .orderBy("partner_id")
      .limit(batchSize)
      .execute();
    for (const row of rows) if (!opensDataKey(keyring, row)) closed.push(row.partner_id);
    const last = rows.at(-1);
    if (!last) return closed;
    after = last.partner_id;
  }
}
