import "server-only";
import { requirePartner } from "@/lib/platform/access/require";
import { periodOf, type Criteria } from "./find";
import { readChain, type HistoryPage } from "@/lib/history/server/verify/read-chain";
import { outsideActor, type HistoryQuery } from "@/lib/history/model/query";
import { filterCriteria } from "@/lib/history/model/show";

/**
 * One page of a partner's history. Costs the same at any depth and for any filter.
 * Throws the problems of `requirePartner`, and `invalid_fields` for a cursor that was not handed out for this partner.
 */
export async function readHistory(partnerId: string, query: HistoryQuery): Promise<HistoryPage> {
  const { partner } = await requirePartner(partnerId, "history.read");
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
