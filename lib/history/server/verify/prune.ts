import "server-only";
import { intactPositions, removalIn, type ChainFault } from "@/lib/history/server/record/chain";
import type { Executor, Db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { PostgresAdapter, sql, type Transaction } from "kysely";
import { byNobody, lockHeads, recordHistory } from "@/lib/history/server/record/record";
import type { ChainEnd } from "./anchor-file";
import { chainStart } from "./chain-start";
import { verifyChain } from "./verify";

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

/** Entries removed in one transaction: few enough that writers to the chain wait only briefly. */
const batchSize = 2_000;

type PruneTerms = {
  /** Removes entries older than this, milliseconds since 1970. */
  before: number;
  /** The ends of this chain that were noted outside the database. */
  anchors: readonly ChainEnd[];
  /** Only count the entries to remove. */
  tryOnly?: boolean;
};

/** The result for one chain. `removed`: or would be, with `tryOnly`. */
export type Pruned =
  | { outcome: "removed"; entries: number }
  | { outcome: "nothing" }
  /** The chain has a fault, which removing entries would hide. */
  | { outcome: "wrong"; fault: ChainFault };

/**
 * Removes the oldest entries of one chain, a part at a time. Each part is one transaction with an entry that records
 * it, so a killed program leaves each part done or not. Keeps the newest entry. Needs a database user that owns the
 * tables.
 */
export async function pruneChain(db: Db, chain: string, terms: PruneTerms): Promise<Pruned> {
  const { seq: from } = await chainStart(db, chain);
  const last = await lastBefore(db, chain, from, terms.before);
  if (last <= from) return { outcome: "nothing" };
  const { fault } = await verifyChain(db, chain, terms.anchors);
  if (fault) return { outcome: "wrong", fault };
  if (terms.tryOnly) return { outcome: "removed", entries: last - from };
  let done = from;
  while (done < last) {
    const part = { chain, from: done, to: Math.min(last, done + batchSize) };
    // Another process may prune, too.
    if (!(await db.transaction().execute((trx) => removePart(trx, part)))) break;
    done = part.to;
  }
  return done > from ? { outcome: "removed", entries: done - from } : { outcome: "nothing" };
}

/** The last position up to which everything is older; never the chain's end. */
async function lastBefore(db: Db, chain: string, from: number, before: number): Promise<number> {
  const [first, head] = [
    await db
      .selectFrom("history")
      .select("seq")
      .where("partner_id", "=", chain)
      .where("seq", ">", from)
      .where("at", ">=", before)
      .orderBy("seq")
      .limit(1)
      .executeTakeFirst(),
    await db
      .selectFrom("history_heads")
      .select("seq")
      .where("partner_id", "=", chain)
      .executeTakeFirst(),
  ];
  const end = Number(head?.seq ?? 0);
  return Math.min(first ? Number(first.seq) : end, end) - 1;
}

type Part = { chain: string; from: number; to: number };

/** false where the chain's beginning has changed. */
async function removePart(trx: Transaction<Database>, { chain, from, to }: Part): Promise<boolean> {
  const entrySeq = ((await lockHeads(trx, [chain])).get(chain)?.seq ?? 0) + 1;
  if ((await chainStart(trx, chain)).seq !== from) return false;
  const rows = await trx
    .selectFrom("history")
    .select(["at", "mac"])
    .where("partner_id", "=", chain)
    .where("seq", ">", from)
    .where("seq", "<=", to)
    .orderBy("seq")
    .execute();
  const newest = rows.at(-1);
  if (rows.length !== to - from || !newest) throw new Error(`entries of ${chain} went missing`);
  const checkpoint = { seq: to, mac: newest.mac, entry_seq: entrySeq };
  await trx
    .insertInto("history_checkpoints")
    .values({ partner_id: chain, ...checkpoint })
    .onConflict((conflict) => conflict.column("partner_id").doUpdateSet(checkpoint))
    .execute();
  await deleteBehind(trx, chain, to);
  await recordHistory(trx, {
    ...byNobody,
    partnerId: chain,
    kind: "entries_removed",
    detail: {
      removed: to,
      seal: newest.mac,
      newest: Number(newest.at),
    },
  });
  return true;
}

/** On PostgreSQL, the owner lacks the right to delete, and grants it to itself for this transaction alone. */
async function deleteBehind(trx: Transaction<Database>, chain: string, to: number): Promise<void> {
  const isPostgres = trx.getExecutor().adapter instanceof PostgresAdapter;
  if (isPostgres) await sql`grant delete on history to current_user`.execute(trx);
  await trx.deleteFrom("history").where("partner_id", "=", chain).where("seq", "<=", to).execute();
  if (isPostgres) await sql`revoke delete on history from current_user`.execute(trx);
}
