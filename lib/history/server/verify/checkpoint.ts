import "server-only";
import { intactPositions } from "@/lib/history/server/record/seals";
import { fromFirstEntry, removalIn, type ChainStart } from "@/lib/history/server/record/chain";
import type { Executor } from "@/lib/platform/database/open";

/** Where the chain begins. */
export async function chainStart(executor: Executor, chain: string): Promise<ChainStart> {
  const row = await executor
    .selectFrom("history_checkpoints")
    .selectAll()
    .where("partner_id", "=", chain)
    .executeTakeFirst();
  return row
    ? { seq: Number(row.seq), mac: row.mac, entrySeq: Number(row.entry_seq) }
    : fromFirstEntry;
}

/** What a screen says of removed entries. Timestamps are ISO 8601; null where no genuine entry says so. */
export type RemovedEntries = {
  /** The position of the last of them. */
  seq: number;
  /** When it was made. */
  upTo: string | null;
  /** When the last of them were removed. */
  at: string | null;
};

/** null: nothing was removed. */
export async function removedEntries(
  executor: Executor,
  chain: string,
): Promise<RemovedEntries | null> {
  const start = await chainStart(executor, chain);
  if (start.seq === 0) return null;
  const row = await executor
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", chain)
    .where("seq", "=", start.entrySeq)
    .executeTakeFirst();
  const removal = row && removalIn(row, start);
  const isGenuine = row && removal && (await intactPositions(chain, [row])).has(row.seq);
  return isGenuine
    ? { seq: start.seq, upTo: removal.newest, at: removal.at }
    : { seq: start.seq, upTo: null, at: null };
}
