import "server-only";
import { claim, proposalOf, type ProposalRow } from "@/lib/changes/server/proposals";
import { secretIdentity, connectionOf } from "@/lib/partners/server/connection";
import { type PartnerAccess, requireEnvironment } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { holdLease, isLeaseLost, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { actorOf, recordHistory } from "@/lib/history/server/record/record";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { forgetOverview } from "@/lib/partners/server/list/overview";
import { ProblemError, fieldRefused } from "@/lib/platform/http/model/problem";
import { encryptFor } from "@/lib/platform/secrets/field";
import { lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { closeSaves } from "@/lib/webhooks/server/observe/saves";
import type { Transaction } from "kysely";
import {
  checkConnection,
  consumeCheckTurn,
  recordCheck,
  storeCheck,
  type CheckContext,
} from "./check";
import { takesSecondAdmin, proposeCredentials } from "./proposals";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { Secret } from "@/lib/platform/runtime/secret";
import { problemInitOf } from "@/lib/webhooks/server/answer/configuration";
import { randomUUID } from "node:crypto";
import type { Connection, Waiting } from "@/lib/connection/model/connection";
import type { ConnectionRequest } from "@/lib/connection/model/request";
import { areSame, hasOtherSecret } from "./credentials";
import { storedConnection, type Environment } from "./stored";

type Switch = {
  access: PartnerAccess;
  candidate: PartnerConnection;
  /** The credentials in use; null where nothing is set up. */
  before: PartnerConnection | null;
  secretReplaced: boolean;
  /** The candidate's fault, if it is used nonetheless. */
  fault: Fault | null;
  context: CheckContext;
  /** The proposal that it applies, where somebody else proposed it. */
  proposal?: ProposalRow;
};

const waitForSaveMs = 4_000;

/**
 * Replaces the credentials in use with the candidate, atomically: every later call of the service uses the new ones.
 * False when somebody else changed the connection meanwhile. Throws `save_in_progress`, `forbidden` for a person whose
 * role has changed, `changed_meanwhile` where it takes a second admin by now, or why a proposal cannot be approved.
 */
export async function switchTo(run: Switch): Promise<boolean> {
  if (!run.before) return store(run, null);
  const inProgress = { applied: "no", retryable: true } as const;
  // A save is read back with the client that made it.
  const lock = await lockConnection(run.before.id, waitForSaveMs);
  if (!lock) throw new ProblemError("save_in_progress", inProgress);
  try {
    return await store(run, lock);
  } catch (error) {
    // This process stalled, and a save may have begun since.
    throw isLeaseLost(error) ? new ProblemError("save_in_progress", inProgress) : error;
  } finally {
    await lock.release();
  }
}

/** With the connection's lock, where there is a connection. */
async function store(run: Switch, lock: Lease | null): Promise<boolean> {
  const { access, candidate, before, secretReplaced, fault, context, proposal } = run;
  const otherClient = before !== null && before.clientId !== candidate.clientId;
  const identity = secretIdentity(candidate.id);
  const ciphertext = await encryptFor(db(), context.partnerId, identity, candidate.clientSecret);
  const stored = await db()
    .transaction()
    .execute(async (trx) => {
      if (lock) await holdLease(trx, lock);
      await recheckRole(trx, access);
      if (before && !proposal && (await takesSecondAdmin(trx, context)))
        throw new ProblemError("changed_meanwhile", { applied: "no" });
      const won = before ? await update(trx, run, ciphertext) : await insert(trx, run, ciphertext);
      if (!won) return false;
      if (proposal) await claim(trx, { row: proposal }, context);
      if (otherClient) {
        await closeSaves(trx, candidate.id, "all");
        await forgetOverview(trx, context);
      }
      await storeCheck(trx, candidate, fault, context);
      await recordHistory(trx, {
        ...context,
        kind: "connection_changed",
        types: [],
        outcome: before ? "replaced" : "created",
        detail: {
          clientIdBefore: before?.clientId ?? null,
          clientIdAfter: candidate.clientId,
          secretReplaced,
          check: fault?.code ?? null,
          ...(proposal ? { proposal: proposalOf(proposal) } : {}),
        },
      });
      return true;
    });
  if (!stored) return false;
  partnerApi().forget(candidate.id);
  return true;
}

async function update(
  trx: Transaction<Database>,
  { candidate, context, proposal }: Switch,
  ciphertext: string,
): Promise<boolean> {
  const updated = await trx
    .updateTable("connections")
    .set({
      client_id: candidate.clientId,
      secret_ciphertext: ciphertext,
      version: candidate.version,
      updated_at: databaseTime(),
      changed_by_id: proposal?.author_id ?? context.actor.id,
      approved_by_id: proposal ? context.actor.id : null,
    })
    .where("id", "=", candidate.id)
    .where("version", "=", candidate.version - 1)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

async function insert(
  trx: Transaction<Database>,
  { candidate, context }: Switch,
  ciphertext: string,
): Promise<boolean> {
  const inserted = await trx
    .insertInto("connections")
    .values({
      id: candidate.id,
      partner_id: context.partnerId,
      environment: context.environment,
      client_id: candidate.clientId,
      secret_ciphertext: ciphertext,
      version: candidate.version,
      updated_at: databaseTime(),
      changed_by_id: context.actor.id,
    })
    .onConflict((conflict) => conflict.columns(["partner_id", "environment"]).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/**
 * Sets up or replaces the credentials: tries the new ones first, and switches only when they work, or when the person
 * has seen why they do not (`saveUnchecked`). Those in use, typed again, replace nothing. Concurrent reads go on with the old ones. Where that takes a second
 * admin, they are tried and stored instead: `waiting`, or `proposal_pending` where another proposal waits that this
 * person had not seen. Throws the problems of `requireStepUp`, `not_found`, `stale_revision` with the connection as it
 * is now, `invalid_fields`, `too_many_requests`, `save_in_progress`, or the fault of the credentials; then nothing was
 * changed.
 */
export async function replaceConnection(
  access: PartnerAccess<"connection.write">,
  environmentName: string,
  request: ConnectionRequest,
  origin: RequestContext,
): Promise<Connection | Waiting> {
  const { partner, viewer } = access;
  const { requestId } = origin;
  const environment = requireEnvironment(environmentName);
  await requireStepUp(access);
  const before = await connectionOf(partner.id, environment);
  if ((before?.version ?? null) !== request.version) throw await stale(partner.id, environment);
  if (before?.clientId === request.clientId && request.clientSecret === undefined)
    return storedConnection(partner.id, environment);

  const candidate = candidateOf(request, before, environment);
  // Whoever has the secret has it still: nothing is replaced, and they are checked like those in use.
  if (before && areSame(before, candidate)) return checkConnection(access, environmentName, origin);
  await consumeCheckTurn(partner.id);
  const result = await partnerApi().check(candidate, { requestId });
  const fault = result.ok ? null : result.fault;
  const actor = actorOf(viewer, origin);
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

  const secretReplaced = hasOtherSecret(before, candidate);
  const switched = await switchTo({ access, candidate, before, secretReplaced, fault, context });
  if (!switched) throw await stale(partner.id, environment);
  return storedConnection(partner.id, environment);
}

function candidateOf(
  request: ConnectionRequest,
  before: PartnerConnection | null,
  environment: Environment,
): PartnerConnection {
  const clientSecret =
    request.clientSecret === undefined ? before?.clientSecret : new Secret(request.clientSecret);
  if (!clientSecret) throw fieldRefused("clientSecret", "required");
  return {
    id: before?.id ?? randomUUID(),
    environment: environment.name,
    version: (before?.version ?? 0) + 1,
    baseUrl: environment.baseUrl,
    clientId: request.clientId,
    clientSecret,
  };
}

/** Credentials that are not put in use have an entry in the history, too. */
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
