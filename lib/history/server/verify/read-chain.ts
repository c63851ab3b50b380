import "server-only";
import { partnerMac } from "@/lib/platform/secrets/partner-mac";
import { fieldRefused } from "@/lib/platform/http/model/problem";
import { db } from "@/lib/platform/database/open";
import { findEntries, type Criteria, type FoundRow } from "@/lib/history/server/read/find";
import { presentRows } from "@/lib/history/server/read/present-row";
import { removedEntries, type RemovedEntries } from "./prune";
import { intactPositions } from "@/lib/history/server/record/chain";
import type { CheckedItem } from "@/lib/history/model/item";

const pageSize = 25;

export type HistoryPage = {
  /** Newest first. May be fewer than a page, even when more remain to search. */
  entries: CheckedItem[];
  /** null when there is nothing older. */
  nextCursor: string | null;
  /** On the last page, where `prune-history` removed entries of the period. */
  removed?: RemovedEntries;
};

/**
 * One page of a chain, a partner's or that of the people. Checks no access: the caller has. Throws `invalid_fields` for
 * a cursor that was not issued for this chain.
 */
export async function readChain(
  chainId: string,
  criteria: Criteria,
  cursor: string | undefined,
): Promise<HistoryPage> {
  const { rows, before } = await findEntries(
    chainId,
    criteria,
    await startOf(chainId, cursor),
    pageSize,
  );
  const removed = before === null ? await removedWithin(chainId, criteria) : null;
  return {
    entries: await checkedItems(chainId, rows),
    nextCursor: before === null ? null : await cursorAt(chainId, before),
    ...(removed && { removed }),
  };
}

/** Removed entries of the period; null where there are none. Checks no access. */
export async function removedWithin(
  chainId: string,
  { from, after }: Criteria,
): Promise<RemovedEntries | null> {
  const removed = await removedEntries(db(), chainId);
  if (!removed || (after ?? 0) >= removed.seq) return null;
  return removed.upTo === null || Date.parse(removed.upTo) >= (from ?? 0) ? removed : null;
}

/** The entry at a position of a chain, verified; null where there is none. Checks no access. */
export async function readEntry(chainId: string, seq: number): Promise<CheckedItem | null> {
  const rows = await db()
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", chainId)
    .where("seq", "=", seq)
    .execute();
  return (await checkedItems(chainId, rows))[0] ?? null;
}

/** Rows of one chain as the API answers them, each verified. Checks no access. */
export async function checkedItems(
  chainId: string,
  rows: readonly FoundRow[],
): Promise<CheckedItem[]> {
  const intact = await intactPositions(chainId, rows);
  const items = await presentRows(chainId, rows);
  return items.map((item) => ({ ...item, intact: intact.has(item.seq) }));
}

/** Where a search begins: a position in the chain, or null for its end. */
export async function startOf(chainId: string, cursor: string | undefined): Promise<number | null> {
  return cursor === undefined ? null : positionOfCursor(chainId, cursor);
}

const shape = /^([0-9a-z]{1,11})-[0-9a-f]{16}$/;

/** A cursor for a position in one partner's chain. Invalid for any other chain. */
async function cursorAt(partnerId: string, seq: number): Promise<string> {
  const position = seq.toString(36);
  const mac = await partnerMac(db(), partnerId, "cursor", position);
  return `${position}-${mac.slice(0, 16)}`;
}

/** The position that a cursor names. Throws `invalid_fields` for one that `cursorAt` did not issue for this partner. */
async function positionOfCursor(partnerId: string, cursor: string): Promise<number> {
  const [, position] = shape.exec(cursor) ?? [];
  const seq = Number.parseInt(position ?? "", 36);
  if (position !== undefined && (await cursorAt(partnerId, seq)) === cursor) return seq;
  throw fieldRefused("cursor", "not_offered");
}
