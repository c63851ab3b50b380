import "server-only";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import type { Connection, ConnectionCheck } from "@/lib/connection/model/connection";
import { presentProposal, takesSecondAdmin } from "./proposals";

/** One of those that the operator configured. */
export type Environment = ReturnType<typeof requireEnvironment>;

/** The connection as stored in the database, chosen field by field. Checks no access. */
export async function storedConnection(
  partnerId: string,
  environment: Environment,
): Promise<Connection> {
  const environmentRef = { partnerId, environment: environment.name };
  const row = await find(db(), partnerId, environment.name);
  const people = row ? [row.changed_by_id, row.approved_by_id, row.checked_by_id] : [];
  const nameOf = await distinctNames(db(), partnerId, people);
  return {
    partner: partnerId,
    environment: environment.name,
    clientId: row?.client_id ?? null,
    clientSecret: { set: row !== undefined },
    version: row?.version ?? null,
    changedAt: row ? iso(row.updated_at) : null,
    changedBy: row?.changed_by_id ? nameOf(row.changed_by_id) : null,
    approvedBy: row?.approved_by_id ? nameOf(row.approved_by_id) : null,
    fourEyes: row !== undefined && (await takesSecondAdmin(db(), environmentRef)),
    proposal: await presentProposal(environmentRef),
    lastCheck: row ? checkOf(row, environment, nameOf) : null,
    serviceUrl: environment.baseUrl,
    publicAddress: env().publicAddress,
  };
}

function find(executor: Executor, partnerId: string, environment: string) {
  return executor
    .selectFrom("connections")
    .leftJoin("connection_checks", "connection_checks.connection_id", "connections.id")
    .select(["client_id", "connections.version", "updated_at"])
    .select(["changed_by_id", "approved_by_id"])
    .select([
      "connection_checks.version as checked_version",
      "checked_at",
      "checked_by_id",
      "request_id",
      "code",
      "upstream_status",
      "upstream_text",
      "retry_at",
      "base_url",
    ])
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .executeTakeFirst();
}

type Row = NonNullable<Awaited<ReturnType<typeof find>>>;

function checkOf(
  row: Row,
  { baseUrl }: Environment,
  nameOf: (id: string) => string,
): ConnectionCheck | null {
  if (row.checked_at === null || row.request_id === null) return null;
  return {
    at: iso(row.checked_at),
    by: row.checked_by_id && nameOf(row.checked_by_id),
    ok: row.code === null,
    code: isProblemCode(row.code) ? row.code : null,
    upstreamStatus: row.upstream_status,
    upstreamText: row.upstream_text,
    retryAt: row.retry_at === null ? null : iso(row.retry_at),
    requestId: row.request_id,
    current: row.checked_version === row.version && (row.base_url ?? baseUrl) === baseUrl,
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** How Gancho signs in to the payment service for this partner. Throws `not_found`. */
export async function readConnection(
  { partner }: PartnerAccess<"connection.read">,
  environmentName: string,
): Promise<Connection> {
  return storedConnection(partner.id, requireEnvironment(environmentName));
}
