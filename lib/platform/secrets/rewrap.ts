import "server-only";
import type { Db, Executor } from "@/lib/platform/database/open";
import { setTimeout as pause } from "node:timers/promises";
import { unwrapDataKey, wrapDataKey, type WrappedKey } from "./data-key";
import { EnvelopeError, type Keyring } from "./envelope";

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
        const wrapped = rewrap(keyring, row);
        if (wrapped === null) closed.add(row.partner_id);
        else count += await replace(trx, row, keyring.active.id, wrapped);
      }
      return count;
    });
    await report(rewrapped);
    // Half of the time belongs to the others: the embedded database lets one write at a time, in no order.
    await pause(performance.now() - startedAt);
  }
}

/** null where it does not open: damaged, moved, or under a missing key. */
function rewrap(keyring: Keyring, row: WrappedKey): string | null {
  try {
    return wrapDataKey(keyring.active, row, unwrapDataKey(keyring, row).bytes);
  } catch (error) {
    if (error instanceof EnvelopeError) return null;
    throw error;
  }
}

/** Only if it is unchanged since it was read; returns how many rows that were. */
async function replace(
  db: Executor,
  row: WrappedKey,
  wrapping_key_id: string,
  wrapped: string,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("data_keys")
    .set({ wrapping_key_id, wrapped })
    .where("id", "=", row.id)
    .where("wrapped", "=", row.wrapped)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
