import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { PartnerLine } from "@/lib/partners/model/page";

export type ReachedService = { environment: string; baseUrl: string };

/** The lines of these partners, in the order of their ids. */
export async function readLines(
  db: Executor,
  ids: readonly string[],
  { environment, baseUrl }: ReachedService,
): Promise<PartnerLine[]> {
  if (ids.length === 0) return [];
  const rows = await partnersWithOverview(db, { environment, baseUrl })
    .select([
      "partners.id",
      "partners.name",
      "partners.suspended_at",
      "connections.id as connection_id",
      "confirmed.confirmed_at",
      "overview.pix_in_host",
      "overview.pix_out_host",
      "overview.without_authorization",
      "overview.fault_code",
      "overview.fault_request_id",
      "overview.failing_since",
      "turn.outside_at",
      "turn.outside_only_value",
    ])
    .where("partners.id", "in", ids)
    .orderBy("partners.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    suspended: row.suspended_at !== null,
    connected: row.connection_id !== null,
    checkedAt: isoOrNull(row.confirmed_at),
    hosts: { pix_in: row.pix_in_host, pix_out: row.pix_out_host },
    withoutAuthorization: typesIn(row.without_authorization ?? ""),
    changedOutside: row.outside_at !== null,
    otherValue: row.outside_only_value === 1,
    failing:
      row.fault_code !== null && row.failing_since !== null
        ? {
            code: row.fault_code,
            since: new Date(row.failing_since).toISOString(),
            requestId: row.fault_request_id ?? "",
          }
        : null,
  }));
}

/**
 * All partners as of their last reading in the environment. Excludes what was read at another base address, or as
 * another client: it may be different here.
 */
export function partnersWithOverview(db: Executor, { environment, baseUrl }: ReachedService) {
  return db
    .selectFrom("partners")
    .leftJoin("connections", (join) =>
      join
        .onRef("connections.partner_id", "=", "partners.id")
        .on("connections.environment", "=", environment),
    )
    .leftJoin("partner_overviews as overview", (join) =>
      join
        .onRef("overview.partner_id", "=", "partners.id")
        .on("overview.environment", "=", environment)
        .on("overview.base_url", "=", baseUrl)
        .onRef("overview.client_id", "=", "connections.client_id"),
    )
    .leftJoin("confirmed_configurations as confirmed", (join) =>
      join
        .onRef("confirmed.connection_id", "=", "connections.id")
        .on(isOrNull("confirmed.base_url", baseUrl))
        .on(isOrNull("confirmed.client_id", sql.ref("connections.client_id"))),
    )
    .leftJoin("watch_turns as turn", (join) =>
      join
        .onRef("turn.connection_id", "=", "connections.id")
        .on("turn.base_url", "=", baseUrl)
        .onRef("turn.client_id", "=", "connections.client_id"),
    );
}

/** The ids of the partners that the Overview shows as changed outside Gancho. */
export function withUnacknowledged(db: Executor, { environment, baseUrl }: ReachedService) {
  return db
    .selectFrom("watch_turns as turn")
    .innerJoin("connections", "connections.id", "turn.connection_id")
    .select("connections.partner_id")
    .where("turn.environment", "=", environment)
    .where("turn.outside_at", "is not", null)
    .where("turn.base_url", "=", baseUrl)
    .whereRef("turn.client_id", "=", "connections.client_id");
}

/** null: not recorded. */
function isOrNull(column: string, wanted: string | RawBuilder<unknown>) {
  return sql<SqlBool>`(${sql.ref(column)} is null or ${sql.ref(column)} = ${wanted})`;
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function typesIn(list: string) {
  return webhookTypes.filter((type) => list.split(",").includes(type));
}
