import "server-only";
import { db, type Executor } from "@/lib/platform/database/open";
import type { Database, HistoryRow } from "@/lib/platform/database/tables";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { sql, type ExpressionBuilder, type SqlBool } from "kysely";
import { setImmediate } from "node:timers/promises";
import type { HistoryQuery } from "@/lib/history/model/query";
import { outsideActor, type HistoryScope } from "@/lib/history/model/filters";
import { filterCriteria } from "@/lib/history/model/show";

/** Which entries to find. An absent criterion matches all. */
export type Criteria = {
  /** Also finds entries about the partner as a whole. */
  environment?: string | undefined;
  type?: WebhookType | undefined;
  /** A person's id; null for entries without a known person. */
  actor?: string | null | undefined;
  /** A person's id: what they did, and what others did about them at the terminal or as operators. */
  person?: string | undefined;
  kinds?: readonly string[] | undefined;
  outcomes?: readonly string[] | undefined;
  /** Leave out attempts whose outcome is an entry of its own. */
  withoutEndedAttempts?: boolean | undefined;
  /** Milliseconds since 1970. `from` is inclusive, `until` exclusive. */
  from?: number | undefined;
  until?: number | undefined;
  /** Only entries after this position. */
  after?: number | undefined;
};

/**
 * Entries searched by one query. Positions in the chain have no gaps, so this bounds its cost, whatever the criteria.
 */
const windowSize = 5_000;
/** Queries of one search. If that finds too few entries, the result says where to go on. */
const maxWindows = 20;

/** `mac_before`: the seal of the entry before it, if that was read, too; null where that is gone. */
export type FoundRow = HistoryRow & { mac_before?: string | null };

export type Found = {
  /** Newest first. */
  rows: FoundRow[];
  /** The position before which a search goes on; null when there is nothing more. */
  before: number | null;
};

/** Checks no access: call `requirePartner` first. `before` is a position in the chain; null for its end. */
export async function findEntries(
  partnerId: string,
  criteria: Criteria,
  before: number | null,
  limit: number,
): Promise<Found> {
  const { person } = criteria;
  if (person !== undefined) return findOfPerson(partnerId, { ...criteria, person }, before, limit);
  const { positions, end } = await search(partnerId, criteria, before, limit + 1);
  const found = positions.slice(0, limit);
  const rows = await rowsAt(partnerId, found);
  // One more than requested, to see whether there are more.
  if (positions.length > limit) return { rows, before: found.at(-1) ?? null };
  // The oldest positions may have been pruned.
  const isMore = end && end > 1 && (await positionBefore(partnerId, end, criteria)) !== null;
  return { rows, before: isMore ? end : null };
}

/** `end`: the first position that was searched; null where there is none. */
async function search(
  partnerId: string,
  criteria: Criteria,
  before: number | null,
  limit: number,
): Promise<{ positions: number[]; end: number | null }> {
  const first = (criteria.after ?? 0) + 1;
  const positions: number[] = [];
  let end = before;
  for (let windows = 0; windows < maxWindows && positions.length < limit; windows += 1) {
    if (windows > 0) await setImmediate();
    const last = await positionBefore(partnerId, end, criteria);
    end = last === null ? first : Math.max(last + 1 - windowSize, first);
    if (last === null) break;
    const window = { start: end, end: last + 1 };
    const query = positionsIn(partnerId, criteria, window, limit - positions.length);
    positions.push(...(await query.execute()).map(({ seq }) => seq));
    if (end === first) break;
  }
  return { positions, end };
}

/**
 * Entries by or about one person, without searching through everybody else's: of all entries, few are about another
 * person than the actor.
 */
async function findOfPerson(
  chainId: string,
  { person, ...criteria }: Criteria & { person: string },
  before: number | null,
  limit: number,
): Promise<Found> {
  const most = { before, limit: limit + 1 };
  const rows = [
    ...(await entriesOf(db(), "actor_id", chainId, person, criteria, most).execute()),
    ...(await entriesOf(db(), "subject_id", chainId, person, criteria, most).execute()),
  ];
  const found = [...new Map(rows.map((row) => [row.seq, row])).values()].sort(
    (a, b) => b.seq - a.seq,
  );
  const next = found.length > limit ? found[limit - 1]?.seq : undefined;
  return { rows: found.slice(0, limit), before: next ?? null };
}

type PageBounds = { before: number | null; limit: number };

/** Entries by (`actor_id`) or about (`subject_id`) a person, newest first. Each column has an index. */
export function entriesOf(
  executor: Executor,
  as: "actor_id" | "subject_id",
  chainId: string,
  person: string,
  criteria: Criteria,
  { before, limit }: PageBounds,
) {
  return executor
    .selectFrom("history")
    .selectAll()
    .where("partner_id", "=", chainId)
    .where(as, "=", person)
    .$if(before !== null, (query) => query.where("seq", "<", before))
    .where((eb) => eb.and(conditions(eb, chainId, criteria)))
    .orderBy("seq", "desc")
    .limit(limit);
}

/** The last existing position before `end`, or of all. Skips gaps where somebody deleted entries. */
async function positionBefore(
  partnerId: string,
  end: number | null,
  { after = 0 }: Criteria,
): Promise<number | null> {
  const row = await db()
    .selectFrom("history")
    .select("seq")
    .where("partner_id", "=", partnerId)
    .where("seq", ">", after)
    .$if(end !== null, (query) => query.where("seq", "<", end ?? 0))
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? null;
}

type Window = { start: number; end: number };

/**
 * The matching positions in one window, newest first, from an index alone. A separate query reads the rows. Both keep
 * to the window, which bounds any plan that a PostgreSQL without recent statistics chooses.
 */
export function positionsIn(
  partnerId: string,
  wanted: Criteria,
  { start, end }: Window,
  limit: number,
) {
  return db()
    .selectFrom("history")
    .select("seq")
    .where("partner_id", "=", partnerId)
    .where("seq", ">=", start)
    .where("seq", "<", end)
    .where((eb) => eb.and(conditions(eb, partnerId, wanted)))
    .orderBy("seq", "desc")
    .limit(limit);
}

/** `positions` newest first. Each row with the seal before it, by which it is checked. */
async function rowsAt(partnerId: string, positions: readonly number[]): Promise<FoundRow[]> {
  const [newest] = positions;
  const oldest = positions.at(-1);
  if (newest === undefined || oldest === undefined) return [];
  return db()
    .selectFrom("history")
    .leftJoin("history as before", (join) =>
      join
        .onRef("before.partner_id", "=", "history.partner_id")
        .on("before.seq", "=", sql<number>`history.seq - 1`),
    )
    .selectAll("history")
    .select("before.mac as mac_before")
    .where("history.partner_id", "=", partnerId)
    .where("history.seq", ">=", oldest)
    .where("history.seq", "<=", newest)
    .where("history.seq", "in", positions)
    .orderBy("history.seq", "desc")
    .execute();
}

function conditions(
  eb: ExpressionBuilder<Database, "history">,
  partnerId: string,
  wanted: Criteria,
) {
  const { environment, type, actor, kinds } = wanted;
  const { outcomes, withoutEndedAttempts, from, until, after } = wanted;
  return [
    environment === undefined
      ? null
      : eb.or([eb("environment", "=", environment), eb("environment", "is", null)]),
    type === undefined
      ? null
      : sql<SqlBool>`',' || ${eb.ref("types")} || ',' like ${`%,${type},%`}`,
    actor === undefined
      ? null
      : actor === null
        ? eb("actor_id", "is", null)
        : eb("actor_id", "=", actor),
    kinds === undefined ? null : eb("kind", "in", kinds),
    outcomes === undefined ? null : eb("outcome", "in", outcomes),
    withoutEndedAttempts
      ? eb.or([
          eb("kind", "<>", "save_attempt"),
          eb("request_id", "in", openRequests(eb, partnerId)),
        ])
      : null,
    from === undefined ? null : eb("at", ">=", from),
    until === undefined ? null : eb("at", "<", until),
    after === undefined ? null : eb("seq", ">", after),
  ].filter((condition) => condition !== null);
}

/** The requests of saves without an answer yet: in progress, or left by a crash and not yet found by the reader. */
function openRequests({ selectFrom }: ExpressionBuilder<Database, "history">, partnerId: string) {
  return selectFrom("changes")
    .select("changes.request_id")
    .where("changes.connection_id", "in", (eb) =>
      eb.selectFrom("connections").select("id").where("partner_id", "=", partnerId),
    )
    .where("changes.state", "=", sql.lit("sent"));
}

const day = 86_400_000;

/** The criteria of a query on a partner's history, or on that of the people. `to` as a day includes the whole day. */
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
