import "server-only";
import type { HistoryQuery } from "@/lib/history/model/query";
import { readChain, type HistoryPage } from "@/lib/history/server/verify/read-chain";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { criteriaOf } from "./find";

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
