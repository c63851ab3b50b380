import "server-only";
import { fromFirstEntry, type ChainStart } from "@/lib/history/server/record/chain";
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
