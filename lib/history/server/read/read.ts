import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import type { Criteria } from "./find";
import { readChain, type HistoryPage } from "@/lib/history/server/verify/read-chain";
import type { HistoryQuery } from "@/lib/history/model/query";
import { outsideActor, type HistoryScope } from "@/lib/history/model/filters";
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

const day = 86_400_000;

/** What a query asks of a partner's history, or of that of the people. A day covers all of it. */
export function criteriaOf(query: HistoryQuery, scope: HistoryScope = "partner"): Criteria {
  const { environment, type, actor, show, from, to, after } = query;
  const who = scope === "people" ? { person: actor } : { actor };
  return {
    environment,
    type,
    ...(actor === outsideActor ? { actor: null } : who),
    ...(show ? filterCriteria[show] : { withoutEndedAttempts: scope === "partner" }),
    after: after === undefined ? undefined : Number(after),
    from: from === undefined ? undefined : Date.parse(from),
    until: to === undefined ? undefined : Date.parse(to) + (to.includes("T") ? 0 : day),
  };
}
