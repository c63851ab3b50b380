import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { flagOf } from "./flags";
import type { PartnerStatus } from "@/lib/partners/model/page";

/** How many partners have this status; all but suspension are of one environment. */
export async function countFlagged(
  executor: Executor,
  status: PartnerStatus,
  environment: string,
): Promise<number> {
  const { count } = await executor
    .selectFrom("partner_terms")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("term", "=", flagOf(status, environment))
    .executeTakeFirstOrThrow();
  return count;
}
