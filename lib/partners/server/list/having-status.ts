import "server-only";
import type { PartnerStatus } from "@/lib/partners/model/partner-state";
import { isAmong } from "@/lib/platform/database/among";
import type { Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { sql, type AliasedExpression, type RawBuilder, type SqlBool } from "kysely";

/** An environment as it is reached now. */
export type ReachedService = { environment: string; baseUrl: string };

/** Who counts as a second person is no question to the database (lib/platform/access/approvers.ts). */
export type StoredStatus = Exclude<PartnerStatus, "no_second_person">;

/** One partner, those after one in the order of ids, these few, or all. */
type Bound = { id?: string; after?: string | null; few?: readonly string[] | null };

/** A query of partners' ids. */
type Ids = ReturnType<typeof ids>;

/** How many partners have this status: as many as the list finds by it. Reads only those. */
export async function countWithStatus(
  db: Executor,
  status: StoredStatus,
  service: ReachedService,
): Promise<number> {
  const { count } = await db
    .selectFrom(withStatus(db, status, service).as("having"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** The partners that have this status. */
export function withStatus(db: Executor, status: StoredStatus, service: ReachedService): Ids {
  const found = partnersBy(db, service);
  return status === "failing" ? found.failing().union(found.slowed_down()) : found[status]();
}

/**
 * The partners in use that need attention according to stored facts, the worst first, at most `most` of each kind, and
 * as many others. Reads no more of them than these.
 */
export async function findConspicuous(
  db: Executor,
  service: ReachedService,
  most: number,
): Promise<string[]> {
  const found = partnersBy(db, service);
  const alerted = db
    .selectFrom("endpoint_checks as checked")
    .select(partnerOf("checked", service).as("id"))
    .where("alerted_condition", "is not", null);
  const waiting = db
    .selectFrom("changes")
    .select("partner_id as id")
    .where("environment", "=", service.environment)
    .where("state", "=", sql.lit("waiting"));
  const kinds = [
    found.changed_outside(),
    found.incident(),
    found.failing(),
    found.slowed_down(),
    ids(db, alerted.as("found")),
    found.type_missing(),
    found.no_authorization(),
    ids(db, waiting.as("found")),
    found.all(),
  ];
  const conspicuous = new Set<string>();
  for (const kind of kinds) {
    const rows = await kind.except(found.suspended()).orderBy("id").limit(most).execute();
    for (const { id } of rows) conspicuous.add(id);
  }
  return [...conspicuous];
}

/** Which part of an order is read. `isWanted`: whether the partner is whose id that column has; null: all are. */
export type Part = Bound & { isWanted: ((column: string) => RawBuilder<SqlBool>) | null };

/**
 * All partners in the order of states, the worst first, as one query for each place. By state a suspended partner is
 * last: its people cannot act on it.
 */
export function placesByState(db: Executor, service: ReachedService, part: Part): Ids[] {
  const found = partnersBy(db, service, part);
  // `without`: whoever is in a later place has this, so that nobody is in both.
  const places: { of: Ids[]; without?: Ids }[] = [
    { of: [found.changed_outside()] },
    { of: [found.incident(), found.failing(), found.slowed_down()] },
    { of: [found.endpoint_fails()] },
    { of: [found.all()], without: found.connected() },
    { of: [found.connected()], without: found.looked() },
    { of: [found.type_missing()] },
    { of: [found.unclear()] },
    { of: [found.no_authorization()] },
    { of: [found.looked()] },
  ];
  const above = [found.suspended()];
  const ordered = places.map(({ of, without }) => {
    if (without) return remaining(db, of, [without, ...above], part);
    const ids = except(of.map((each) => wantedOf(each, part)).reduce(union), above);
    above.push(...of);
    return ids;
  });
  return [...ordered, wantedOf(found.suspended(), part)];
}

/** Those of whose present client no list is known. */
export function neverLooked(db: Executor, service: ReachedService, part: Part): Ids {
  const { all, looked } = partnersBy(db, service, part);
  return remaining(db, [all()], [looked()], part);
}

/** Those that remain are as a rule few: only of them is asked which are wanted. */
function remaining(db: Executor, of: Ids[], without: readonly Ids[], part: Part): Ids {
  const remain = except(of.reduce(union), without);
  if (!part.isWanted) return remain;
  const found = db.selectFrom("partners").select("partners.id");
  const those = found.where("partners.id", "in", remain.orderBy("id"));
  return wantedOf(ids(db, those.as("found")), part);
}

function wantedOf(those: Ids, { isWanted }: Part): Ids {
  return isWanted ? those.where(isWanted("found.id")) : those;
}

const union = (all: Ids, each: Ids): Ids => all.union(each);

function except(all: Ids, sets: readonly Ids[]): Ids {
  return sets.reduce((left, each) => left.except(each), all);
}

/** Written as in the indexes, so that queries use them. */
const isSeen = {
  failing: sql.raw<SqlBool>("overview.fault_code is not null"),
  looked: sql.raw<SqlBool>("overview.confirmed = 1"),
  type_missing: sql.raw<SqlBool>(
    "overview.confirmed = 1 and (overview.pix_in_host is null or overview.pix_out_host is null)",
  ),
  unclear: sql.raw<SqlBool>(
    "overview.confirmed = 1 and (overview.pix_in_host = '' or overview.pix_out_host = '')",
  ),
  no_authorization: sql.raw<SqlBool>(
    "overview.confirmed = 1 and overview.without_authorization <> ''",
  ),
};
/** The service alone slows the connection down: no reading of it failed. */
export const isSlowed = sql.raw<SqlBool>("schedule.fault_code = 'upstream_rate_limited'");

/**
 * The partners of each kind, from an index that has them alone and in the order of ids, wherever there is one: SQLite
 * merges such queries, where it would else sort what they find.
 */
function partnersBy(db: Executor, service: ReachedService, bound: Bound = {}) {
  const { environment, baseUrl } = service;
  const of = (found: AliasedExpression<{ id: string | null }, "found">) => ids(db, found, bound);
  const seen = (is: keyof typeof isSeen) =>
    of(
      db
        .selectFrom("partner_overviews as overview")
        .select("overview.partner_id as id")
        .where("overview.environment", "=", environment)
        .where("overview.base_url", "=", baseUrl)
        .where(isSeen[is])
        .as("found"),
    );
  const scheduled = db
    .selectFrom("reading_schedule as schedule")
    .innerJoin("connections", (join) =>
      join
        .onRef("connections.id", "=", "schedule.connection_id")
        .onRef("connections.client_id", "=", "schedule.client_id"),
    )
    .select("connections.partner_id as id")
    .where("schedule.environment", "=", environment)
    .where("schedule.base_url", "=", baseUrl);
  const checked = db
    .selectFrom("endpoint_checks as checked")
    .select(
      partnerOf("checked", service, sql` and connections.client_id = checked.client_id`).as("id"),
    )
    .where("checked.base_url", "=", baseUrl)
    .where("checked.alerted_condition", "in", ["refused", "down", "open"])
    // Where endpoint checks are off, earlier results do not count.
    .$if(env().endpointChecks !== "daily", (query) => query.where(sql<SqlBool>`1 = 0`));
  const partners = db.selectFrom("partners").select("partners.id");
  return {
    changed_outside: () => of(scheduled.where("schedule.outside_at", "is not", null).as("found")),
    incident: () =>
      of(db.selectFrom("incidents").select(partnerOf("incidents", service).as("id")).as("found")),
    failing: () => seen("failing"),
    slowed_down: () => of(scheduled.where(isSlowed).as("found")),
    endpoint_fails: () => of(checked.as("found")),
    connected: () =>
      of(
        db
          .selectFrom("connections")
          .select("partner_id as id")
          .where("environment", "=", environment)
          .as("found"),
      ),
    looked: () => seen("looked"),
    type_missing: () => seen("type_missing"),
    unclear: () => seen("unclear"),
    no_authorization: () => seen("no_authorization"),
    suspended: () => of(partners.where("suspended_at", "is not", null).as("found")),
    all: () => of(partners.as("found")),
  };
}

/** Not a join, which SQLite would begin with all connections of the environment. */
function partnerOf(table: "incidents" | "checked", { environment }: ReachedService, and = sql``) {
  return sql<string | null>`(select connections.partner_id from connections
    where connections.id = ${sql.ref(`${table}.connection_id`)}
    and connections.environment = ${environment}${and})`;
}

function ids(
  db: Executor,
  found: AliasedExpression<{ id: string | null }, "found">,
  { id, after, few }: Bound = {},
) {
  return db
    .selectFrom(found)
    .select("found.id")
    .where("found.id", "is not", null)
    .$narrowType<{ id: string }>()
    .$if(id !== undefined, (query) => query.where("found.id", "=", id ?? ""))
    .$if(typeof after === "string", (query) => query.where("found.id", ">", after ?? ""))
    .$if(Array.isArray(few), (query) => query.where(isAmong("found.id", few ?? [])));
}
