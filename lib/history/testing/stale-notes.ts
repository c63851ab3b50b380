import { db, type Db } from "@/lib/platform/database/open";
import { people } from "@/lib/platform/secrets/people";
import { partnerMacs } from "@/lib/platform/secrets/partner-mac";
import { describeDifference } from "@/lib/history/server/verify/state/describe";
import { reconcileChain } from "@/lib/history/server/verify/state/reconcile";

/**
 * Rows that differ from the history's notes: Gancho changed them without an entry that notes them. Leaves out rows that
 * a test made by hand and the history never knew.
 */
export async function staleNotes(executor: Db = db()): Promise<string[]> {
  const stale: string[] = [];
  const partners = await executor.selectFrom("partners").select("id").execute();
  for (const chain of [people, ...partners.map(({ id }) => id)]) {
    const differences = await reconcileChain(
      executor,
      chain,
      await partnerMacs(executor, chain, "state"),
    );
    for (const one of differences)
      if (one.noted)
        stale.push(...describeDifference(one, null).map((line) => `${chain}: ${line}`));
  }
  return stale;
}
