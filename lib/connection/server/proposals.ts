import "server-only";
import { proposalOf, propose, readWaiting, type ProposalRow } from "@/lib/changes/server/proposals";
import { recordHistory } from "@/lib/history/server/record/record";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
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
import type { CheckContext } from "./check";
import { hasOtherSecret } from "./credentials";

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

export function proposedIn(row: Pick<ProposalRow, "asked_json">) {
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
  const secretReplaced = hasOtherSecret(before, candidate);
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
