import "server-only";
import type { Db, Executor } from "@/lib/platform/database/open";
import { setTimeout as pause } from "node:timers/promises";
import { unwrapDataKey, wrapDataKey, type WrappedKey } from "./data-key";
import { EnvelopeError } from "./envelope";
import type { Keyring } from "./keyring";
import { holdInUse, notedKeys, takeIntoUse } from "./wrapping-keys";

/** Short enough that a transaction does not keep others waiting. */
const batchSize = 50;

type Rewrapped = {
  /** Data keys that are now under the active key, and were not. */
  rewrapped: number;
  /** Partners whose data key does not open, and stayed as it was. */
  closed: string[];
};

/** Why it did nothing, or no more. */
export type NotRewrapped =
  /** The active key was taken out of use once; taking it again must be meant. */
  | "retired_before"
  /** Another run, with another active key, has retired this one meanwhile. */
  | "overtaken";

type Terms = {
  /** Also where the active key was taken out of use before. */
  reactivate: boolean;
  /** Called now and then with how many data keys were processed, of how many. */
  report: (done: number, all: number) => void;
};

/**
 * Wraps every partner's data key under the keyring's active key, while others read and write. Leaves what is sealed
 * under the data keys as it is. First stops all processes from wrapping anything new under another key; then a pass
 * over what is under others finds all there will ever be. It can end at any time and be started again, also twice at
 * once.
 */
export async function rewrapAll(
  db: Db,
  keyring: Keyring,
  { reactivate, report }: Terms,
): Promise<Rewrapped | NotRewrapped> {
  const { active } = keyring;
  const taken = await db.transaction().execute(async (trx) => {
    const noted = (await notedKeys(trx)).find(({ id }) => id === active.id);
    if (typeof noted?.retired_at === "number" && !reactivate) return false;
    await takeIntoUse(trx, active);
    return true;
  });
  if (!taken) return "retired_before";

  const all = await countOthers(db, active.id);
  const sum: Rewrapped = { rewrapped: 0, closed: [] };
  let done = 0;
  for (let after = ""; ;) {
    report(done, all);
    const startedAt = performance.now();
    const batch = await db.transaction().execute((trx) => rewrapSome(trx, keyring, after));
    if (batch === "overtaken") return batch;
    sum.rewrapped += batch.rewrapped;
    sum.closed.push(...batch.closed);
    done += batch.seen;
    if (batch.last === null) break;
    after = batch.last;
    // Half of the time belongs to the others: the embedded database lets one write at a time, in no order.
    await pause(performance.now() - startedAt);
  }
  return sum;
}

type Batch = Rewrapped & { seen: number; last: string | null };

async function rewrapSome(
  trx: Executor,
  keyring: Keyring,
  after: string,
): Promise<Batch | "overtaken"> {
  const { active } = keyring;
  if (!(await holdInUse(trx, active.id))) return "overtaken";
  const rows = await trx
    .selectFrom("data_keys")
    .select(["id", "partner_id", "wrapping_key_id", "wrapped"])
    .where("wrapping_key_id", "!=", active.id)
    .where("partner_id", ">", after)
    .orderBy("partner_id")
    .limit(batchSize)
    .execute();
  const batch: Batch = {
    rewrapped: 0,
    closed: [],
    seen: rows.length,
    last: rows.at(-1)?.partner_id ?? null,
  };
  for (const row of rows) {
    const wrapped = rewrap(keyring, row);
    if (wrapped === null) batch.closed.push(row.partner_id);
    else batch.rewrapped += await replace(trx, row, { wrapping_key_id: active.id, wrapped });
  }
  return batch;
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
  trx: Executor,
  row: WrappedKey,
  values: { wrapping_key_id: string; wrapped: string },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable("data_keys")
    .set(values)
    .where("id", "=", row.id)
    .where("wrapped", "=", row.wrapped)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

async function countOthers(db: Db, keyId: string): Promise<number> {
  const { count } = await db
    .selectFrom("data_keys")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("wrapping_key_id", "!=", keyId)
    .executeTakeFirstOrThrow();
  return count;
}
