import "server-only";
import {
  proposalOf,
  propose,
  proposedSecret,
  readWaiting,
  type ProposalRow,
  requireTwoPeople,
} from "@/lib/changes/server/proposals";
import { recordHistory, actorOf } from "@/lib/history/server/record/record";
import { type EnvironmentRef, connectionOf } from "@/lib/partners/server/connection";
import { requiresFourEyes } from "@/lib/platform/access/approvers";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { isProblemCode, type ProblemCode } from "@/lib/platform/http/model/problem-code";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import type { CredentialsProposal } from "@/lib/connection/model/connection";
import type { ConnectionRequest } from "@/lib/connection/model/request";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { type CheckContext, consumeCheckTurn } from "./check";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { refused, switchTo } from "./replace";
import type { Environment } from "./stored";

/** What a second admin decides on; the proposed client id is the row's own. */
const proposedSchema = z.object({
  /** The version of the credentials that they would replace. */
  baseVersion: z.number(),
  clientIdBefore: z.string(),
  /** False: the secret in use stays. */
  secretReplaced: z.boolean(),
  /** Why they did not work when the author proposed them; null where they worked. */
  fault: z.custom<ProblemCode>(isProblemCode).nullable(),
});

function proposedIn(row: Pick<ProposalRow, "asked_json">) {
  return proposedSchema.parse(JSON.parse(row.asked_json ?? "null"));
}

/**
 * Whether replacing credentials here takes a second admin: the credentials decide which configuration Gancho shows and
 * writes, so one person who replaces them could evade the approval of callback changes.
 */
export async function takesSecondAdmin(
  executor: Executor,
  { partnerId, environment }: EnvironmentRef,
): Promise<boolean> {
  return (
    env().productionEnvironments.has(environment) && (await requiresFourEyes(executor, partnerId))
  );
}

type NewProposal = {
  access: PartnerAccess;
  context: CheckContext;
  request: ConnectionRequest;
  before: PartnerConnection;
  candidate: PartnerConnection;
  /** Why they do not work, if the author proposes them nonetheless. */
  fault: Fault | null;
};

/**
 * Stores new credentials for a second admin to approve; those in use stay. They replace the waiting proposal, if the
 * person saw it: otherwise `pending`. Throws `forbidden` for a person whose role has changed.
 */
export async function proposeCredentials({
  access,
  context,
  request,
  before,
  candidate,
  fault,
}: NewProposal): Promise<"proposed" | "pending"> {
  const secretReplaced = request.clientSecret !== undefined;
  const proposed: z.infer<typeof proposedSchema> = {
    baseVersion: before.version,
    clientIdBefore: before.clientId,
    secretReplaced,
    fault: fault?.code ?? null,
  };
  return db()
    .transaction()
    .execute(async (trx) => {
      const row = await propose(trx, {
        access,
        ...context,
        id: randomUUID(),
        kind: "credentials",
        appliesTo: null,
        connection: candidate,
        asked: proposed,
        secret: secretReplaced ? candidate.clientSecret : null,
        reason: request.reason,
        replaces: request.replaces === undefined ? [] : [request.replaces],
      });
      if (row === "pending") return row;
      await recordHistory(trx, {
        ...context,
        kind: "connection_proposal_made",
        types: [],
        outcome: null,
        detail: {
          proposal: proposalOf(row),
          clientIdBefore: before.clientId,
          clientIdAfter: candidate.clientId,
          secretReplaced,
          check: proposed.fault,
          reason: row.reason,
          expiresAt: row.expires_at ?? 0,
        },
      });
      return "proposed";
    });
}

/** The waiting proposal, chosen field by field. */
export async function presentProposal(ref: EnvironmentRef): Promise<CredentialsProposal | null> {
  const [waiting] = await readWaiting(ref, "credentials");
  return waiting
    ? { ...waiting.shown, clientId: waiting.row.client_id, ...proposedIn(waiting.row) }
    : null;
}

/**
 * Approves proposed credentials: tries them once more and puts them in use, as replacing them alone does. Throws
 * `own_proposal`, `forbidden`, `author_may_not`, `no_second_person`, `proposal_stale`, `too_many_requests`,
 * `save_in_progress`, the problems of `requireStepUp`, or the fault of the credentials, which then go on
 * waiting.
 */
export async function approveCredentials(
  access: PartnerAccess,
  environment: Environment,
  row: ProposalRow,
  context: RequestContext,
): Promise<void> {
  const environmentRef = { partnerId: access.partner.id, environment: environment.name };
  await requireTwoPeople(db(), row, access.viewer.id);
  await requireStepUp(access);
  const before = await connectionOf(environmentRef.partnerId, environment);
  const proposed = proposedIn(row);
  if (before?.version !== proposed.baseVersion)
    throw new ProblemError("proposal_stale", { applied: "no" });
  const secret = proposed.secretReplaced ? await proposedSecret(row) : null;
  const candidate = {
    ...before,
    version: before.version + 1,
    clientId: row.client_id,
    clientSecret: secret ?? before.clientSecret,
  };
  await consumeCheckTurn(environmentRef.partnerId);
  const result = await partnerApi().check(candidate, { requestId: context.requestId });
  const fault = result.ok ? null : result.fault;
  const actor = actorOf(access.viewer, context);
  const check = { ...environmentRef, actor, requestId: context.requestId };
  // If the author insisted, the approver has seen that they do not work; otherwise that is news to both.
  if (fault && proposed.fault === null) throw await refused(check, candidate, fault);
  const run = { access, candidate, before, secretReplaced: secret !== null, fault, context: check };
  if (!(await switchTo({ ...run, proposal: row })))
    throw new ProblemError("proposal_stale", { applied: "no" });
}
