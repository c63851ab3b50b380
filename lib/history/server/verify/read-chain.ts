import "server-only";
import { cursorAt, placeOfCursor } from "@/lib/history/server/read/cursor";
import { findEntries, type Criteria } from "@/lib/history/server/read/find";
import { presentRows } from "@/lib/history/server/read/present-row";
import { intactPlaces } from "@/lib/history/server/record/seals";
import type { CheckedItem } from "@/lib/history/model/item";

const pageSize = 25;

export type HistoryPage = {
  /** Newest first. May be fewer than a page, also while there are more to look through. */
  entries: CheckedItem[];
  /** null when there is nothing older. */
  nextCursor: string | null;
};

/**
 * One page of a chain, a partner's or that of the people. Takes its id on trust: whoever calls has asked for the
 * permission. Throws `invalid_fields` for a cursor that was not handed out for this chain.
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
  const intact = await intactPlaces(chainId, rows);
  const items = await presentRows(chainId, rows);
  return {
    entries: items.map((item) => ({ ...item, intact: intact.has(item.seq) })),
    nextCursor: before === null ? null : await cursorAt(chainId, before),
  };
}

/** Where a search begins: a place in the chain, or null for its end. */
export async function startOf(chainId: string, cursor: string | undefined): Promise<number | null> {
  return cursor === undefined ? null : placeOfCursor(chainId, cursor);
}
