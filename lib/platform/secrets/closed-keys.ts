import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { opensDataKey } from "./data-key";
import type { Keyring } from "./keyring";

const atOnce = 500;

/** Partners whose data key does not open with this keyring: damaged, moved, or under a key that it lacks. */
export async function closedKeys(db: Db, keyring: Keyring): Promise<string[]> {
  const closed: string[] = [];
  for (let after = ""; ;) {
    const rows = await db
      .selectFrom("data_keys")
      .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
      .where("partner_id", ">", after)
      .orderBy("partner_id")
      .limit(atOnce)
      .execute();
    for (const row of rows) if (!opensDataKey(keyring, row)) closed.push(row.partner_id);
    const last = rows.at(-1);
    if (!last) return closed;
    after = last.partner_id;
  }
}
