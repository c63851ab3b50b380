import "server-only";
import type { Executor } from "@/lib/db/open";
import { EnvelopeError } from "@/lib/secrets/envelope";
import { partnerMacs } from "@/lib/secrets/partner-mac";
import type { ChainEnd } from "./anchor-file";
import { walkChain, type ChainFault, type Mac } from "./chain";
import { checkApprovals } from "./signed-approvals";

/** Entries read at once. */
const batchSize = 500;

export type ChainReport = {
  partnerId: string;
  /** Entries found right, from the first one on. */
  entries: number;
  /** The first bad entry; null when the whole chain is right. */
  fault: ChainFault | null;
};

/**
 * Verifies one partner's chain from its first entry to its end, reading in batches, also while it grows. Changes nothing.
 * `anchors` are the ends of this chain that were noted outside the database, read before this is called: an anchor
 * follows its entry. What it proves: every entry was written by a holder of the keys and stands where it was recorded,
 * and none is missing up to the end that the database and the anchors know of; and that what was approved with a passkey
 * is what was signed. Without an anchor, a tail that was cut
 * together with its note in the database is not seen.
 */
export async function verifyChain(
  executor: Executor,
  partnerId: string,
  anchors: readonly ChainEnd[],
): Promise<ChainReport> {
  const mac = await macFor(executor, partnerId);
  const walk = walkChain(mac ?? (() => ""), anchors);
  const approvals = checkApprovals(executor);
  const report = (fault: ChainFault | null) => ({ partnerId, entries: walk.entries(), fault });
  let after: number | null = null;
  let head: ChainEnd | null | undefined;
  for (;;) {
    const rows = await batch(executor, partnerId, after);
    // The head was read before this look found nothing more: entries that it knows and that are not there are gone.
    if (rows.length === 0 && head !== undefined) return report(walk.end(head));
    if (rows.length > 0 && !mac) return report({ seq: 1, reason: "no_key" });
    const fault = walk.add(rows);
    if (fault) return report(fault);
    const unsigned = await approvals.add(rows);
    if (unsigned) return { ...report(unsigned), entries: unsigned.seq - 1 };
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < batchSize) head = await headOf(executor, partnerId);
  }
}

/** All chains, one after the other, by partner; `anchors` by partner, too. */
export async function* verifyEveryChain(
  executor: Executor,
  anchors: ReadonlyMap<string, readonly ChainEnd[]>,
): AsyncGenerator<ChainReport> {
  const unseen = new Set(anchors.keys());
  for await (const partnerId of partnersWithHistory(executor)) {
    unseen.delete(partnerId);
    yield await verifyChain(executor, partnerId, anchors.get(partnerId) ?? []);
  }
  for (const partnerId of unseen)
    yield await verifyChain(executor, partnerId, anchors.get(partnerId) ?? []);
}

/** Also those whose head somebody took away. */
async function* partnersWithHistory(executor: Executor): AsyncGenerator<string> {
  const heads = executor.selectFrom("history_heads").select("partner_id");
  for (let after = ""; ;) {
    const batch = await heads
      .where("partner_id", ">", after)
      .orderBy("partner_id")
      .limit(batchSize)
      .execute();
    const last = batch.at(-1);
    if (!last) break;
    for (const head of batch) yield head.partner_id;
    after = last.partner_id;
  }
  const headless = await executor
    .selectFrom("history")
    .select("partner_id")
    .distinct()
    .where("partner_id", "not in", heads)
    .execute();
  for (const { partner_id } of headless) yield partner_id;
}

/** null when the partner's key is gone or does not open; one is not made, unlike when writing. */
async function macFor(executor: Executor, partnerId: string): Promise<Mac | null> {
  const key = await executor
    .selectFrom("data_keys")
    .select("id")
    .where("partner_id", "=", partnerId)
    .executeTakeFirst();
  if (!key) return null;
  try {
    return await partnerMacs(executor, partnerId, "history");
  } catch (error) {
    if (error instanceof EnvelopeError) return null;
    throw error;
  }
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
