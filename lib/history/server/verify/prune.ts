import "server-only";
import type { Db } from "@/lib/platform/database/open";
import type { Database, HistoryRow } from "@/lib/platform/database/tables";
import type { Secret } from "@/lib/platform/runtime/secret";
import { people } from "@/lib/platform/secrets/people";
import { PostgresAdapter, sql, type Transaction } from "kysely";
import { lockHeads, recordInEach } from "@/lib/history/server/record/record";
import type { ChainFault } from "@/lib/history/server/record/chain";
import type { ChainEnd } from "./anchor-file";
import { chainStart, signedCheckpoint, type CheckpointStatement } from "./checkpoint";
import { furtherChecks } from "./further-checks";
import { erasedIn } from "./person-keys";
import { verifyChain } from "./verify";

/** Entries of one transaction: few enough that writers to the chain wait only briefly. */
const batchSize = 500;

type PruneTerms = {
  /** Removes entries older than this, milliseconds since 1970. */
  before: number;
  signingKey: Secret;
  /** The ends of this chain that were noted outside the database. */
  anchors: readonly ChainEnd[];
  /** Only count the entries to remove. */
  tryOnly?: boolean;
};

/** The result for one chain. Only the first removed anything. */
export type Pruned =
  | { outcome: "removed"; entries: number; checkpoint: CheckpointStatement }
  | { outcome: "would_remove"; entries: number }
  | { outcome: "nothing" }
  /** It has a fault, and removing entries would hide that. */
  | { outcome: "wrong"; what: string; fault: ChainFault | null };

/**
 * Removes the oldest entries of one chain and signs a statement about them, a part at a time; a program that is killed
 * leaves each part done or not. The newest entry always stays. Needs a user of the database that owns the tables.
 */
export async function pruneChain(db: Db, chain: string, terms: PruneTerms): Promise<Pruned> {
  const start = await chainStart(db, chain);
  if (start.fault) return { outcome: "wrong", what: "", fault: start.fault };
  const from = start.checkpoint?.seq ?? 0;
  const last = await lastBefore(db, chain, from, terms.before);
  if (last <= from) return { outcome: "nothing" };
  const wrong = await whatIsWrong(db, chain, terms.anchors);
  if (wrong) return wrong;
  if (terms.tryOnly) return { outcome: "would_remove", entries: last - from };
  let checkpoint: CheckpointStatement | null = null;
  for (let done = from; done < last;) {
    const to = Math.min(last, done + batchSize);
    const part = await db
      .transaction()
      .execute((trx) => removePart(trx, { chain, from: done, to }, terms.signingKey));
    // Another process does the same.
    if (!part) break;
    checkpoint = part;
    done = to;
  }
  return checkpoint
    ? { outcome: "removed", entries: checkpoint.removed - from, checkpoint }
    : { outcome: "nothing" };
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

async function whatIsWrong(
  db: Db,
  chain: string,
  anchors: readonly ChainEnd[],
): Promise<Pruned | null> {
  const { fault } = await verifyChain(db, chain, anchors);
  if (fault) return { outcome: "wrong", what: "", fault };
  for (const check of furtherChecks)
    for await (const { what } of check(db, [chain])) return { outcome: "wrong", what, fault: null };
  return null;
}

type Part = { chain: string; from: number; to: number };

/** null where the chain's beginning has changed. */
async function removePart(
  trx: Transaction<Database>,
  { chain, from, to }: Part,
  signingKey: Secret,
): Promise<CheckpointStatement | null> {
  await lockHeads(trx, [chain]);
  const before = await trx
    .selectFrom("history_checkpoints")
    .select(["seq", "statement"])
    .where("partner_id", "=", chain)
    .executeTakeFirst();
  if (Number(before?.seq ?? 0) !== from) return null;
  const rows = await trx
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", chain)
    .where("seq", ">", from)
    .where("seq", "<=", to)
    .orderBy("seq")
    .execute();
  const newest = rows.at(-1);
  if (rows.length !== to - from || !newest) throw new Error(`entries of ${chain} went missing`);
  if (chain === people) await carryOver(trx, rows);
  const row = signedCheckpoint(
    signingKey,
    {
      chain,
      removed: to,
      seal: newest.mac,
      newest: new Date(newest.at).toISOString(),
      at: new Date().toISOString(),
    },
    before?.statement ?? null,
  );
  await trx
    .insertInto("history_checkpoints")
    .values(row)
    .onConflict((conflict) => conflict.column("partner_id").doUpdateSet(row))
    .execute();
  await deleteBehind(trx, chain, to);
  return JSON.parse(row.statement) as CheckpointStatement;
}

/** PostgreSQL: the owner has given the right up, and takes it for this transaction alone. */
async function deleteBehind(trx: Transaction<Database>, chain: string, to: number): Promise<void> {
  const isPostgres = trx.getExecutor().adapter instanceof PostgresAdapter;
  if (isPostgres) await sql`grant delete on history to current_user`.execute(trx);
  await trx.deleteFrom("history").where("partner_id", "=", chain).where("seq", "<=", to).execute();
  if (isPostgres) await sql`revoke delete on history from current_user`.execute(trx);
}

/** Says again, at the chain's end, which keys were destroyed on purpose: `verify-history` reports any other missing key. */
async function carryOver(trx: Transaction<Database>, rows: readonly HistoryRow[]): Promise<void> {
  const erased = rows.flatMap(erasedIn);
  if (erased.length === 0) return;
  await recordInEach(trx, [
    {
      partnerId: people,
      environment: null,
      types: [],
      actor: null,
      requestId: null,
      kind: "state_recorded",
      outcome: null,
      detail: { erased },
    },
  ]);
}
