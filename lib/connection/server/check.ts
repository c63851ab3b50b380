import "server-only";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { asKnownNow } from "@/lib/history/server/record/record";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { connectionOf } from "@/lib/partners/server/connection";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import { recordCheck, storeCheck, type CheckContext, consumeCheckTurn } from "./check-record";
import type { Connection } from "@/lib/connection/model/connection";
import { storedConnection } from "./stored";

/**
 * Tries the credentials in use at the payment service, and records the result. A failure of theirs is an answer, not a
 * problem. Throws `not_found`, `not_connected` or `too_many_requests`.
 */
export async function checkConnection(
  { partner, viewer }: PartnerAccess<"connection.write">,
  environmentName: string,
  { requestId, clientAddress }: RequestContext,
): Promise<Connection> {
  const environment = requireEnvironment(environmentName);
  const connection = await connectionOf(partner.id, environment);
  if (!connection) throw new ProblemError("not_connected", { applied: "no" });
  await consumeCheckTurn(partner.id);

  const result = await partnerApi().check(connection, { requestId });
  // Any remembered rejection is older than this.
  if (result.ok) partnerApi().forget(connection.id);
  const fault = result.ok ? null : result.fault;
  const context: CheckContext = {
    partnerId: partner.id,
    environment: environment.name,
    actor: { id: viewer.id, name: viewer.name, clientAddress },
    requestId,
  };
  await db()
    .transaction()
    .execute(async (trx) => {
      const actor = await asKnownNow(trx, context.actor);
      await storeCheck(trx, connection, fault, { ...context, actor });
      await recordCheck(trx, context, { clientId: connection.clientId, candidate: false, fault });
    });
  return storedConnection(partner.id, environment);
}
