import "server-only";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import {
  approversOf,
  areTwoPeople,
  authorAmong,
  takesTwo,
  type Approver,
} from "@/lib/platform/access/approvers";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db, type Executor } from "@/lib/platform/database/open";
import type { ConnectionProposalRow, Database } from "@/lib/platform/database/tables";
import { timeOfDay } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import { recordHistory, type Actor } from "@/lib/history/server/record/record";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { isProblemCode } from "@/lib/platform/http/model/problem-code";
import { decryptFor, encryptFor, type FieldIdentity } from "@/lib/platform/secrets/field";
import type { Secret } from "@/lib/platform/runtime/secret";
import { sql, type SqlBool, type Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import type { CheckContext } from "./check-record";
import type { CredentialsProposal } from "@/lib/connection/model/connection";
import type { ConnectionRequest } from "@/lib/connection/model/request";

/** How long a proposal waits, milliseconds; the same for webhooks. */
const lifeMs = 24 * 60 * 60_000;

/**
 * Whether replacing credentials here takes a second admin: the credentials decide which configuration Gancho shows and
 * writes, so one person replacing them could lead all the others past the callback they guard.
 */
export async function takesSecondAdmin(
  executor: Executor,
  { partnerId, environment }: EnvironmentRef,
): Promise<boolean> {
  return env().productionEnvironments.has(environment) && (await takesTwo(executor, partnerId));
}

type NewProposal = {
  access: PartnerAccess;
  context: CheckContext;
  request: ConnectionRequest;
  before: PartnerConnection;
  candidate: PartnerConnection;
  /** Why they do not work, if the author wants them all the same. */
  fault: Fault | null;
};

/**
 * Stores new credentials for a second admin to approve; those in use stay. They replace the waiting proposal, if the
 * person saw it: otherwise `pending`. Throws `forbidden` for a person whose role has changed.
 */
export async function proposeCredentials(proposal: NewProposal): Promise<"proposed" | "pending"> {
  const { access, context, request, before, candidate, fault } = proposal;
  return db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      for (const row of await pendingRows(trx, context)) {
        if (!row.overdue && request.replaces !== row.id) return "pending";
        const ending = row.overdue ? expiry : { state: "replaced" as const, ...context };
        await endProposal(trx, row, ending);
      }
      const id = randomUUID();
      const { clientSecret } = candidate;
      const replaced = request.clientSecret !== undefined;
      const row = await trx
        .insertInto("connection_proposals")
        .values({
          id,
          partner_id: context.partnerId,
          environment: context.environment,
          base_version: before.version,
          client_id_before: before.clientId,
          client_id: candidate.clientId,
          secret_replaced: replaced ? 1 : 0,
          secret_ciphertext: replaced
            ? await encryptFor(trx, context.partnerId, secretIdentity(id), clientSecret)
            : null,
          fault_code: fault?.code ?? null,
          reason: request.reason ?? null,
          author_id: context.actor.id,
          author_name: context.actor.name,
          created_at: Date.now(),
          expires_at: sql<number>`${timeOfDay()} + cast(${lifeMs} as integer)`,
          state: "pending",
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordHistory(trx, {
        ...context,
        kind: "connection_proposal_made",
        types: [],
        outcome: null,
        detail: {
          proposal: proposalDetail(row),
          clientIdBefore: before.clientId,
          clientIdAfter: candidate.clientId,
          secretReplaced: replaced,
          check: row.fault_code,
          reason: row.reason,
          expiresAt: row.expires_at,
        },
      });
      return "proposed";
    });
}

/** The context that the proposed secret is encrypted for. */
function secretIdentity(proposalId: string): FieldIdentity {
  return { table: "connection_proposals", row: proposalId, column: "secret" };
}

/** The proposed secret, or null where the one in use stays. Throws `proposal_over` where it was deleted already. */
export async function proposedSecret(row: ConnectionProposalRow): Promise<Secret | null> {
  if (row.secret_replaced === 0) return null;
  if (row.secret_ciphertext === null) throw over(row);
  return decryptFor(db(), row.partner_id, secretIdentity(row.id), row.secret_ciphertext);
}

/** `overdue`: its time is over, whether or not anybody has ended it. */
type StoredProposal = ConnectionProposalRow & { overdue: SqlBool };

/** Undefined where this connection has no such proposal. */
export async function findProposal(
  executor: Executor,
  { partnerId, environment }: EnvironmentRef,
  id: string,
): Promise<StoredProposal | undefined> {
  return executor
    .selectFrom("connection_proposals")
    .selectAll()
    .select((eb) => eb("expires_at", "<=", timeOfDay()).as("overdue"))
    .where("id", "=", id)
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .executeTakeFirst();
}

/** The same, while it waits. Throws `not_found`, or `proposal_over` with its state. */
export async function pendingProposal(
  executor: Executor,
  ref: EnvironmentRef,
  id: string,
): Promise<ConnectionProposalRow> {
  const row = await findProposal(executor, ref, id);
  if (!row) throw new ProblemError("not_found", { applied: "no" });
  if (row.state !== "pending" || row.overdue) throw over(row);
  return row;
}

function over(row: ConnectionProposalRow): ProblemError {
  const state = row.state === "pending" ? "expired" : row.state;
  return new ProblemError("proposal_over", { applied: "no", extra: { state } });
}

async function pendingRows(
  executor: Executor,
  { partnerId, environment }: EnvironmentRef,
): Promise<StoredProposal[]> {
  return executor
    .selectFrom("connection_proposals")
    .selectAll()
    .select((eb) => eb("expires_at", "<=", timeOfDay()).as("overdue"))
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("state", "=", "pending")
    .execute();
}

/**
 * By person, not by session, and by present roles: `own_proposal`, `forbidden` where the approver or `author_may_not`
 * where the author is no admin, `no_second_person` where one let the other in.
 */
export async function requireTwoAdmins(
  executor: Executor,
  row: ConnectionProposalRow,
  approverId: string,
): Promise<void> {
  if (row.author_id === approverId) throw new ProblemError("own_proposal", { applied: "no" });
  const admins = await adminsOf(executor, row.partner_id);
  const approver = admins.find(({ id }) => id === approverId);
  if (!approver) throw new ProblemError("forbidden", { applied: "no" });
  const author = authorAmong(admins, row);
  if (!author) throw new ProblemError("author_may_not", { applied: "no" });
  if (!areTwoPeople(author, approver))
    throw new ProblemError("no_second_person", { applied: "no" });
}

async function adminsOf(executor: Executor, partnerId: string): Promise<Approver[]> {
  return (await approversOf(executor, partnerId)).filter(({ role }) => role === "admin");
}

/**
 * Approves it in the transaction that puts the credentials in use: of racing approvals, withdrawals and new proposals,
 * one is first.
 */
export async function claimProposal(
  trx: Transaction<Database>,
  row: ConnectionProposalRow,
  context: Pick<CheckContext, "actor" | "requestId">,
): Promise<void> {
  await requireTwoAdmins(trx, row, context.actor.id);
  if (await endProposal(trx, row, { state: "approved", ...context })) return;
  throw over((await findProposal(trx, refOf(row), row.id)) ?? row);
}

type ProposalEnd = {
  state: Exclude<ConnectionProposalRow["state"], "pending">;
  /** null: nobody, it expired. */
  actor: Actor | null;
  requestId: string | null;
  reason?: string;
};

const expiry: ProposalEnd = { state: "expired", actor: null, requestId: null };

/** The one step that ends a proposal, with its history row; of several that try, one succeeds. Deletes its secret. */
export async function endProposal(
  trx: Transaction<Database>,
  row: ConnectionProposalRow,
  { state, actor, requestId, reason }: ProposalEnd,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("connection_proposals")
    .set({
      state,
      secret_ciphertext: null,
      ended_at: Date.now(),
      ended_by_id: actor?.id ?? null,
      ended_by: actor?.name ?? null,
      end_reason: reason ?? null,
    })
    .where("id", "=", row.id)
    .where("state", "=", "pending")
    .where("expires_at", state === "expired" ? "<=" : ">", timeOfDay())
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await recordHistory(trx, {
    ...refOf(row),
    kind: "connection_proposal_ended",
    types: [],
    actor,
    requestId,
    outcome: state,
    detail: {
      proposal: proposalDetail(row),
      clientIdAfter: row.client_id,
      ...(reason === undefined ? {} : { reason }),
    },
  });
  return true;
}

function refOf(row: ConnectionProposalRow): EnvironmentRef {
  return { partnerId: row.partner_id, environment: row.environment };
}

/** As the history names it. */
export function proposalDetail(row: ConnectionProposalRow) {
  return { id: row.id, author: { id: row.author_id, name: row.author_name } };
}

/**
 * The waiting proposal, chosen field by field; the first read after its time ends it, so that its secret is kept no
 * longer.
 */
export async function presentProposal(ref: EnvironmentRef): Promise<CredentialsProposal | null> {
  const [row] = await pendingRows(db(), ref);
  if (!row) return null;
  if (row.overdue) {
    await db()
      .transaction()
      .execute((trx) => endProposal(trx, row, expiry));
    return null;
  }
  const admins = await adminsOf(db(), row.partner_id);
  const author = authorAmong(admins, row);
  const by = { id: row.author_id, name: row.author_name };
  const nameOf = await distinctNames(db(), row.partner_id, [by]);
  return {
    id: row.id,
    clientIdBefore: row.client_id_before,
    clientId: row.client_id,
    secretReplaced: row.secret_replaced === 1,
    fault: isProblemCode(row.fault_code) ? row.fault_code : null,
    reason: row.reason,
    by: { ...by, name: nameOf(by) },
    at: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    baseVersion: row.base_version,
    approvers: author
      ? admins.filter((admin) => areTwoPeople(author, admin)).map(({ id, name }) => ({ id, name }))
      : null,
  };
}
