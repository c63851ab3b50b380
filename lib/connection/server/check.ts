import "server-only";
import { enforceLimits } from "@/lib/platform/limits/limits";
import type { Database } from "@/lib/platform/database/tables";
import { actorOf, recordHistory, type Actor } from "@/lib/history/server/record/record";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { Transaction } from "kysely";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { connectionOf, keepClient } from "@/lib/partners/server/connection";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import type { Connection } from "@/lib/connection/model/connection";
import { storedConnection } from "./stored";

/** Who made the request, and from where; goes into the history. */
export type CheckContext = {
  partnerId: string;
  environment: string;
  actor: Actor;
  requestId: string;
};

/** `actor` null: the operator at the terminal. `at`: in milliseconds; left out: now. */
type CheckOrigin = { actor: Actor | null; requestId: string; at?: number };

/** The result for the credentials of this version; replaces the earlier one. `fault` is null when they work. */
export async function storeCheck(
  trx: Transaction<Database>,
  connection: { id: string; version: number; baseUrl: string },
  fault: Fault | null,
  { actor, requestId, at = databaseTime() }: CheckOrigin,
): Promise<void> {
  const values = {
    version: connection.version,
    base_url: connection.baseUrl,
    checked_at: at,
    checked_by_id: actor?.id ?? null,
    request_id: requestId,
    code: fault?.code ?? null,
    upstream_status: fault?.upstreamStatus ?? null,
    upstream_text: fault?.upstreamText ?? null,
    retry_at: fault?.retryAfter === undefined ? null : at + fault.retryAfter * 1_000,
  };
  await trx
    .insertInto("connection_checks")
    .values({ connection_id: connection.id, ...values })
    .onConflict((conflict) =>
      conflict
        .column("connection_id")
        .doUpdateSet(values)
        // A check of credentials that were replaced meanwhile says nothing about those in use.
        .where("connection_checks.version", "<=", connection.version),
    )
    .execute();
}

/** `candidate`: credentials that were not put in use. */
export async function recordCheck(
  trx: Transaction<Database>,
  context: CheckContext,
  { clientId, candidate, fault }: { clientId: string; candidate: boolean; fault: Fault | null },
): Promise<void> {
  await recordHistory(trx, {
    ...context,
    kind: "connection_checked",
    types: [],
    outcome: fault ? "failed" : "works",
    detail: { clientId, candidate, problem: fault?.code ?? null },
  });
}

/**
 * A service may lock out an API user after repeated wrong secrets, and no check uses a cached token. Ten a minute for
 * each partner: enough for a person, too few to guess secrets. Throws `too_many_requests`.
 */
export async function consumeCheckTurn(partnerId: string): Promise<void> {
  await enforceLimits([{ key: `checks of ${partnerId}`, most: 10, seconds: 60 }]);
}

/**
 * Tries the credentials in use at the payment service, and records the result. Credentials that do not work are a
 * result, not a problem. Throws `not_found`, `not_connected` or `too_many_requests`.
 */
export async function checkConnection(
  { partner, viewer }: PartnerAccess<"connection.write">,
  environmentName: string,
  origin: RequestContext,
): Promise<Connection> {
  const environment = requireEnvironment(environmentName);
  const connection = await connectionOf(partner.id, environment);
  if (!connection) throw new ProblemError("not_connected", { applied: "no" });
  await consumeCheckTurn(partner.id);

  const result = await partnerApi().check(connection, { requestId: origin.requestId });
  // Any remembered rejection is older than this.
  if (result.ok) partnerApi().forget(connection.id);
  const fault = result.ok ? null : result.fault;
  const context: CheckContext = {
    partnerId: partner.id,
    environment: environment.name,
    actor: actorOf(viewer, origin),
    requestId: origin.requestId,
  };
  await db()
    .transaction()
    .execute(async (trx) => {
      await keepClient(trx, connection.id);
      await storeCheck(trx, connection, fault, context);
      await recordCheck(trx, context, { clientId: connection.clientId, candidate: false, fault });
    });
  return storedConnection(partner.id, environment);
}
