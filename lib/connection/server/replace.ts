import "server-only";
import { fieldRefused } from "@/lib/platform/http/model/refusals";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { connectionOf } from "@/lib/partners/server/connection";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { Secret } from "@/lib/platform/runtime/secret";
import { problemInitOf } from "@/lib/webhooks/server/read/present";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import { db } from "@/lib/platform/database/open";
import { randomUUID } from "node:crypto";
import { recordCheck, type CheckContext, consumeCheckTurn } from "./check-record";
import type { Connection, Waiting } from "@/lib/connection/model/connection";
import { proposeCredentials, takesSecondAdmin } from "./proposals";
import type { ConnectionRequest } from "@/lib/connection/model/request";
import { storedConnection, type Environment } from "./stored";
import { switchTo } from "./switch";

/**
 * Sets up or replaces the credentials: tries the new ones first, and switches only when they work, or when the person
 * has seen why they do not (`saveUnchecked`). Concurrent reads go on with the old ones. Where that takes a second
 * admin, they are tried and stored instead: `waiting`, or `proposal_pending` where another proposal waits that this
 * person had not seen. Throws the problems of `requireStepUp`, `not_found`, `stale_revision` with the connection as it
 * is now, `invalid_fields`, `too_many_requests`, `save_in_progress`, or the fault of the credentials; then nothing was
 * changed.
 */
export async function replaceConnection(
  access: PartnerAccess<"connection.write">,
  environmentName: string,
  request: ConnectionRequest,
  { requestId, clientAddress }: RequestContext,
): Promise<Connection | Waiting> {
  const { partner, viewer } = access;
  const environment = requireEnvironment(environmentName);
  await requireStepUp(access);
  const before = await connectionOf(partner.id, environment);
  if ((before?.version ?? null) !== request.version) throw await stale(partner.id, environment);
  if (before?.clientId === request.clientId && request.clientSecret === undefined)
    return storedConnection(partner.id, environment);

  await consumeCheckTurn(partner.id);
  const candidate = candidateOf(request, before, { partnerId: partner.id, environment });
  const result = await partnerApi().check(candidate, { requestId });
  const fault = result.ok ? null : result.fault;
  const actor = { id: viewer.id, name: viewer.name, clientAddress };
  const context = { partnerId: partner.id, environment: environment.name, actor, requestId };
  if (fault && !request.saveUnchecked) throw await refused(context, candidate, fault);

  if (before && (await takesSecondAdmin(db(), context))) {
    const proposal = { access, context, request, before, candidate, fault };
    const proposed = await proposeCredentials(proposal);
    const connection = await storedConnection(partner.id, environment);
    if (proposed === "pending")
      throw new ProblemError("proposal_pending", { applied: "no", extra: { connection } });
    return { outcome: "waiting", connection };
  }

  const secretReplaced = request.clientSecret !== undefined;
  const switched = await switchTo({ access, candidate, before, secretReplaced, fault, context });
  if (!switched) throw await stale(partner.id, environment);
  return storedConnection(partner.id, environment);
}

function candidateOf(
  request: ConnectionRequest,
  before: PartnerConnection | null,
  { partnerId, environment }: { partnerId: string; environment: Environment },
): PartnerConnection {
  const clientSecret =
    request.clientSecret === undefined ? before?.clientSecret : new Secret(request.clientSecret);
  if (!clientSecret) throw fieldRefused("clientSecret", "required");
  return {
    id: before?.id ?? randomUUID(),
    partnerId,
    environment: environment.name,
    version: (before?.version ?? 0) + 1,
    baseUrl: environment.baseUrl,
    clientId: request.clientId,
    clientSecret,
  };
}

/** Trying other credentials is worth an entry, also when they were refused. */
export async function refused(
  context: CheckContext,
  { clientId }: PartnerConnection,
  fault: Fault,
): Promise<ProblemError> {
  await db()
    .transaction()
    .execute((trx) => recordCheck(trx, context, { clientId, candidate: true, fault }));
  return new ProblemError(fault.code, { ...problemInitOf(fault), applied: "no" });
}

async function stale(partnerId: string, environment: Environment): Promise<ProblemError> {
  const connection = await storedConnection(partnerId, environment);
  return new ProblemError("stale_revision", { applied: "no", extra: { connection } });
}
