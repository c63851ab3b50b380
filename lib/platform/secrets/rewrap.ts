import "server-only";
import type { Db, Executor } from "@/lib/platform/database/open";
import { setTimeout as pause } from "node:timers/promises";
import { tryUnwrapDataKey, wrapDataKey, type DataKey, type WrappedKey } from "./data-key";
import type { Keyring, WrappingKey } from "./envelope";

/** Short enough that a transaction does not keep others waiting. */
const batchSize = 50;

type Rewrapped = {
  /** Data keys that are now under the active key, and were not. */
  rewrapped: number;
  /** Owners whose data key does not open, and stayed as it was. */
  closed: string[];
};

/**
 * Wraps every data key under the keyring's active key, while others read and write, until none is left under another
 * one. What is sealed under the data keys stays as it is. It can end at any time and be started again, also twice at
 * once. `report`: is called, and waited for, after each batch with how many data keys were re-wrapped.
 */
export async function rewrapAll(
  db: Db,
  keyring: Keyring,
  report: (rewrapped: number) => unknown,
): Promise<Rewrapped> {
  const closed = new Set<string>();
  let rewrapped = 0;
  for (;;) {
    const startedAt = performance.now();
    const rows = await db
      .selectFrom("data_keys")
      .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
      .where("wrapping_key_id", "!=", keyring.active.id)
      .$if(closed.size > 0, (query) => query.where("partner_id", "not in", [...closed]))
      .limit(batchSize)
      .execute();
    if (rows.length === 0) return { rewrapped, closed: [...closed] };
    rewrapped += await db.transaction().execute(async (trx) => {
      let count = 0;
      for (const row of rows) {
        const key = tryUnwrapDataKey(keyring, row);
        if (key) count += await rewrap(trx, row, keyring.active, key);
        else closed.add(row.partner_id);
      }
      return count;
    });
    await report(rewrapped);
    // Half of the time belongs to the others: the embedded database lets one write at a time, in no order.
    await pause(performance.now() - startedAt);
  }
}

/** Only if it is unchanged since it was read; returns how many rows that were. */
async function rewrap(
  db: Executor,
  row: WrappedKey,
  active: WrappingKey,
  key: DataKey,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("data_keys")
    .set({ wrapping_key_id: active.id, wrapped: wrapDataKey(active, row, key.bytes) })
    .where("id", "=", row.id)
    .where("wrapped", "=", row.wrapped)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
