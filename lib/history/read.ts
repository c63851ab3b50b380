import "server-only";
import { requirePartner } from "@/lib/access/require";
import { findEntries, type Criteria } from "./find";
import { cursorAt, placeOfCursor } from "./cursor";
import { presentRow } from "./present-row";
import { intactPlaces } from "./seals";
import type { CheckedItem } from "./view/item";
import { outsideActor, type HistoryQuery } from "./view/query";
import { parts } from "./view/show";

const pageSize = 25;

export type HistoryPage = {
  /** Newest first. May be fewer than a page, also while there are more to look through. */
  entries: CheckedItem[];
  /** null when there is nothing older. */
  nextCursor: string | null;
};

/**
 * One page of a partner's history. Costs the same at any depth and for any filter.
 * Throws the problems of `requirePartner`, and `invalid_fields` for a cursor that was not handed out for this partner.
 */
export async function readHistory(partnerId: string, query: HistoryQuery): Promise<HistoryPage> {
  const { partner } = await requirePartner(partnerId, "history.read");
  const start = await startOf(partner.id, query);
  const { rows, before } = await findEntries(partner.id, criteriaOf(query), start, pageSize);
  const intact = await intactPlaces(partner.id, rows);
  return {
    entries: rows.map((row) => ({ ...presentRow(row), intact: intact.has(row.seq) })),
    nextCursor: before === null ? null : await cursorAt(partner.id, before),
  };
}

/** Where a search begins: a place in the chain, or null for its end. */
export async function startOf(partnerId: string, { cursor }: HistoryQuery): Promise<number | null> {
  return cursor === undefined ? null : placeOfCursor(partnerId, cursor);
}

const day = 86_400_000;

export function criteriaOf(query: HistoryQuery): Criteria {
  const { environment, type, actor, show, from, to } = query;
  return {
    environment,
    type,
    actor: actor === outsideActor ? null : actor,
    ...(show ? parts[show] : { withoutEndedAttempts: true }),
    from: from === undefined ? undefined : Date.parse(from),
    until: to === undefined ? undefined : Date.parse(to) + (isDay(to) ? day : 0),
  };
}

function isDay(moment: string): boolean {
  return !moment.includes("T");
}
