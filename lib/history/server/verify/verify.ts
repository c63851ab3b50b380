import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { findDataKey, tryUnwrapDataKey } from "@/lib/platform/secrets/data-key";
import { keyring } from "@/lib/platform/secrets/envelope";
import { macsUnder } from "@/lib/platform/secrets/partner-mac";
import { sql } from "kysely";
import type { ChainEnd } from "./anchor-file";
import { chainStart } from "./chain-start";
import {
  walkChain,
  type ChainFault,
  type ChainStart,
  type Mac,
  type Removal,
} from "@/lib/history/server/record/chain";

/** Entries of one chain that are read at once. */
const batchSize = 500;
/** Names of chains that are read at once. */
const chainsPerBatch = 500;

export type ChainReport = {
  partnerId: string;
  /** Entries found right, from the first one on. */
  entries: number;
  /** The first bad entry; null when the whole chain is right. */
  fault: ChainFault | null;
  /** The removal of the oldest entries; null where none were. */
  removal: Removal | null;
};

/**
 * Verifies one partner's chain from its first entry to its end, reading in batches, also while it grows. Changes
 * nothing. `anchors` are the ends of this chain that were noted outside the database. Read them before the call, since
 * an anchor is written after its entry. It proves that a holder of the keys wrote every entry in its position, and that
 * none is missing up to the end that the database and the anchors know. Without an anchor, it cannot see that a tail
 * was cut together with its note in the database.
 */
export async function verifyChain(
  executor: Executor,
  partnerId: string,
  anchors: readonly ChainEnd[],
): Promise<ChainReport> {
  for (let start = await chainStart(executor, partnerId); ;) {
    const report = await verifyFrom(executor, partnerId, start, anchors);
    if (!report.fault) return report;
    // Entries may have been removed meanwhile.
    const now = await chainStart(executor, partnerId);
    if (now.seq === start.seq) return report;
    start = now;
  }
}

async function verifyFrom(
  executor: Executor,
  partnerId: string,
  start: ChainStart,
  anchors: readonly ChainEnd[],
): Promise<ChainReport> {
  let mac: Mac | null = null;
  const walk = walkChain((text) => mac?.(text) ?? "", anchors, start);
  const report = (fault: ChainFault | null) => ({
    partnerId,
    entries: walk.entries(),
    fault,
    removal: walk.removal(),
  });
  let after: number | null = null;
  let head: ChainEnd | null | undefined;
  for (;;) {
    const rows = await batch(executor, partnerId, after);
    // The head was read before this empty batch, so an entry that it names and that was not read is gone.
    if (rows.length === 0 && head !== undefined) return report(walk.end(head));
    // Not earlier: the chain's key is written just before its first entry, and may not have existed until then.
    if (rows.length > 0) mac ??= await macFor(executor, partnerId);
    if (rows.length > 0 && !mac) return report({ seq: 1, reason: "no_key" });
    const fault = walk.add(rows);
    if (fault) return report(fault);
    after = rows.at(-1)?.seq ?? after;
    // A head read before these entries would be behind them.
    head = rows.length < batchSize ? await headOf(executor, partnerId) : undefined;
  }
}

/** All chains, one after the other; `anchors` by partner. Memory does not grow with their number. */
export async function* verifyEveryChain(
  executor: Executor,
  anchors: ReadonlyMap<string, readonly ChainEnd[]>,
): AsyncGenerator<ChainReport> {
  const unseen = new Set(anchors.keys());
  for await (const chain of everyChain(executor)) {
    unseen.delete(chain);
    yield await verifyChain(executor, chain, anchors.get(chain) ?? []);
  }
  for (const chain of unseen) yield await verifyChain(executor, chain, anchors.get(chain) ?? []);
}

/** Every partner's chain, and every chain with entries or a head: somebody may have removed its partner or its head. */
async function* everyChain(executor: Executor): AsyncGenerator<string> {
  for (let after = ""; ;) {
    const { rows } = await sql<{ id: string }>`
      select id from (select id from partners where id > ${after} order by id limit ${chainsPerBatch}) a
      union
      select id from (
        select partner_id as id from history_heads where partner_id > ${after}
        order by partner_id limit ${chainsPerBatch}
      ) b
      union
      select id from (
        select distinct partner_id as id from history where partner_id > ${after}
        order by partner_id limit ${chainsPerBatch}
      ) c
      order by id limit ${chainsPerBatch}`.execute(executor);
    const last = rows.at(-1);
    if (!last) return;
    for (const { id } of rows) yield id;
    after = last.id;
  }
}

/** null when the partner's key is gone or does not open; verifying never makes one, unlike writing. */
async function macFor(executor: Executor, partnerId: string): Promise<Mac | null> {
  const row = await findDataKey(executor, partnerId);
  const key = row ? tryUnwrapDataKey(keyring(), row) : null;
  return key && macsUnder(key, "history");
}

async function batch(executor: Executor, partnerId: string, after: number | null) {
  return executor
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .$if(after !== null, (query) => query.where("seq", ">", after ?? 0))
    .orderBy("seq")
    .limit(batchSize)
    .execute();
}

async function headOf(executor: Executor, partnerId: string): Promise<ChainEnd | null> {
  const head = await executor
    .selectFrom("history_heads")
    .select(["seq", "mac"])
    .where("partner_id", "=", partnerId)
    .executeTakeFirst();
  return head ?? null;
}
