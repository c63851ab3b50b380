import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { sql, type AliasedExpression } from "kysely";

/** An environment as it is reached now. */
export type ReachedService = { environment: string; baseUrl: string };

/** Those of the statuses that an index knows. */
type CountedStatus = "changed_outside" | "failing" | "type_missing" | "no_authorization";

/** How many partners have this status: as many as the list finds by it. Reads only those. */
export async function countWithStatus(
  db: Executor,
  status: CountedStatus,
  service: ReachedService,
): Promise<number> {
  const found = findings(db, service);
  const having = status === "failing" ? found.failing.union(found.slowed_down) : found[status];
  const { count } = await db
    .selectFrom(having.as("found"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * The partners in use that need attention according to stored facts, at most `most` of each kind, and as many others, by
 * id. Reads no more of them than these.
 */
export async function findConspicuous(
  db: Executor,
  service: ReachedService,
  most: number,
): Promise<string[]> {
  const { environment } = service;
  // Not a join, which SQLite would begin with all connections of the environment.
  const partnerOf = (connection: "incidents.connection_id" | "endpoint_checks.connection_id") =>
    sql<string | null>`(select connections.partner_id from connections
      where connections.id = ${sql.ref(connection)} and connections.environment = ${environment})`;
  const kinds: AliasedExpression<{ id: string | null }, "found">[] = [
    ...Object.values(findings(db, service)).map((each) => each.as("found")),
    db.selectFrom("incidents").select(partnerOf("incidents.connection_id").as("id")).as("found"),
    db
      .selectFrom("endpoint_checks")
      .select(partnerOf("endpoint_checks.connection_id").as("id"))
      .where("alerted_condition", "is not", null)
      .as("found"),
    db
      .selectFrom("changes")
      .select("partner_id as id")
      .where("environment", "=", environment)
      .where("state", "=", sql.lit("waiting"))
      .as("found"),
    db.selectFrom("partners").select("id").as("found"),
  ];
  const ids = new Set<string>();
  for (const kind of kinds) {
    const found = await db
      .selectFrom(kind)
      .select("id")
      .where("id", "is not", null)
      .where("id", "not in", (eb) =>
        eb.selectFrom("partners").select("partners.id").where("suspended_at", "is not", null),
      )
      .orderBy("id")
      .limit(most)
      .execute();
    for (const { id } of found) if (id !== null) ids.add(id);
  }
  return [...ids];
}

/** Written as in the indexes, so that queries use them. */
export const isSeen = {
  failing: sql.raw<boolean>("overview.fault_code is not null"),
  type_missing: sql.raw<boolean>(
    "overview.confirmed = 1 and (overview.pix_in_host is null or overview.pix_out_host is null)",
  ),
  no_authorization: sql.raw<boolean>("overview.without_authorization <> ''"),
};
/** The service alone slows the connection down: no reading of it failed. */
export const isSlowed = sql.raw<boolean>("schedule.fault_code = 'upstream_rate_limited'");

/** The partners with each status, by the reading of this client at this service. */
function findings(db: Executor, { environment, baseUrl }: ReachedService) {
  // No join here, either.
  const seen = db
    .selectFrom("partner_overviews as overview")
    .select("overview.partner_id as id")
    .where("overview.environment", "=", environment)
    .where("overview.base_url", "=", baseUrl)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("connections")
          .select("connections.id")
          .whereRef("connections.partner_id", "=", "overview.partner_id")
          .whereRef("connections.environment", "=", "overview.environment")
          .whereRef("connections.client_id", "=", "overview.client_id"),
      ),
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
  return {
    changed_outside: scheduled.where("schedule.outside_at", "is not", null),
    failing: seen.where(isSeen.failing),
    slowed_down: scheduled.where(isSlowed),
    type_missing: seen.where(isSeen.type_missing),
    no_authorization: seen.where(isSeen.no_authorization),
  };
}
