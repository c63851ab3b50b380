import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db, type Executor } from "@/lib/platform/database/open";
import { sql } from "kysely";

/** The most people that the filter offers; the address can name any. */
const maxActors = 200;

export type HistoryActor = { id: string; name: string };

/** Everybody who ever acted in this partner's history, by name. */
export async function historyActors({
  partner,
}: PartnerAccess<"history.read">): Promise<HistoryActor[]> {
  return actorsIn(partner.id);
}

/**
 * Everybody who ever acted in this chain, by their current name. Goes from person to person in the index, so its cost
 * depends on the number of people and not of entries. Checks no access.
 */
export async function actorsIn(
  chainId: string,
  executor: Executor = db(),
): Promise<HistoryActor[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive actors(id) as (
      select min(actor_id) from history where partner_id = ${chainId}
      union all
      select (
        select min(actor_id) from history
        where partner_id = ${chainId} and actor_id > actors.id
      )
      from actors where actors.id is not null
    )
    select actors.id as id
    from actors where actors.id is not null limit ${maxActors}`.execute(executor);
  const ids = rows.map(({ id }) => id);
  const nameOf = await distinctNames(executor, chainId, ids);
  return ids.map((id) => ({ id, name: nameOf(id) })).sort((a, b) => a.name.localeCompare(b.name));
}
