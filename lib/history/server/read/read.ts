import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { periodOf, type Criteria } from "./find";
import { readChain, type HistoryPage } from "@/lib/history/server/verify/read-chain";
import type { HistoryQuery } from "@/lib/history/model/query";
import { outsideActor } from "@/lib/history/model/filters";
import { filterCriteria } from "@/lib/history/model/show";

/**
 * One page of a partner's history. Costs the same at any depth and for any filter. Throws `invalid_fields` for a cursor
 * that was not issued for this partner.
 */
export async function readHistory(
  { partner }: PartnerAccess<"history.read">,
  query: HistoryQuery,
): Promise<HistoryPage> {
  return readChain(partner.id, criteriaOf(query), query.cursor);
}

export function criteriaOf(query: HistoryQuery): Criteria {
  const { environment, type, actor, show } = query;
  return {
    environment,
    type,
    actor: actor === outsideActor ? null : actor,
    ...(show ? filterCriteria[show] : { withoutEndedAttempts: true }),
    ...periodOf(query),
  };
}
