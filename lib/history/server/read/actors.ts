import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db, type Executor } from "@/lib/platform/database/open";
import { sql } from "kysely";

export type HistoryActor = { id: string; name: string };

/** The most people that the filter offers, those who acted last; the address can name any. */
export const mostOffered = 200;

/** Who acted last in this partner's history, by name. */
export async function historyActors({
  partner,
}: PartnerAccess<"history.read">): Promise<OfferedActors> {
  return offeredActors(partner.id);
}

/** `more`: others acted, too, and longer ago. */
export type OfferedActors = { people: HistoryActor[]; more: boolean };

/** So many people are compared by their newest entries; where there are more, the newest entries name them. */
const mostCompared = 1_000;
const newestEntries = 5_000;

/** Who acted last in this chain, for its filter. Checks no access. */
export async function offeredActors(chainId: string): Promise<OfferedActors> {
  const all = await actorRows(db(), chainId, mostCompared + 1);
  const rows = all.length > mostCompared ? await newestActorRows(chainId) : all;
  const newest = rows.sort((one, other) => other.seq - one.seq).slice(0, mostOffered);
  return { people: await named(db(), chainId, newest), more: all.length > newest.length };
}

/** Everybody who ever acted in this chain, by their current name. Checks no access. */
export async function actorsIn(
  chainId: string,
  executor: Executor = db(),
): Promise<HistoryActor[]> {
  return named(executor, chainId, await actorRows(executor, chainId));
}

type ActorRow = { id: string; seq: number };

/**
 * Everybody who ever acted, with their newest entry. Goes from person to person in the index, so its cost depends on the
 * number of people and not of entries.
 */
async function actorRows(
  executor: Executor,
  chainId: string,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<ActorRow[]> {
  const { rows } = await sql<ActorRow>`
    with recursive actors(id) as (
      select min(actor_id) from history where partner_id = ${chainId}
      union all
      select (
        select min(actor_id) from history
        where partner_id = ${chainId} and actor_id > actors.id
      )
      from actors where actors.id is not null
    )
    select actors.id as id, (
      select max(seq) from history
      where partner_id = ${chainId} and actor_id = actors.id
    ) as seq
    from actors where actors.id is not null
    limit ${limit}`.execute(executor);
  return rows.map(({ id, seq }) => ({ id, seq: Number(seq) }));
}

async function newestActorRows(chainId: string): Promise<ActorRow[]> {
  const newest = db()
    .selectFrom("history")
    .select(["actor_id", "seq"])
    .where("partner_id", "=", chainId)
    .orderBy("seq", "desc")
    .limit(newestEntries);
  const rows = await db()
    .selectFrom(newest.as("newest"))
    .select(({ fn }) => ["actor_id as id", fn.max("seq").as("seq")])
    .where("actor_id", "is not", null)
    .$narrowType<{ id: string }>()
    .groupBy("actor_id")
    .execute();
  return rows.map(({ id, seq }) => ({ id, seq: Number(seq) }));
}

async function named(
  executor: Executor,
  chainId: string,
  actors: readonly ActorRow[],
): Promise<HistoryActor[]> {
  const ids = actors.map(({ id }) => id);
  const nameOf = await distinctNames(executor, chainId, ids);
  return ids.map((id) => ({ id, name: nameOf(id) })).sort((a, b) => a.name.localeCompare(b.name));
}
