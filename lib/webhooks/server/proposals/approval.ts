import "server-only";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { approversOf, areTwoPeople, authorAmong } from "@/lib/platform/access/approvers";
import { db, type Executor } from "@/lib/platform/database/open";
import type { Database, ProposalRow } from "@/lib/platform/database/tables";
import type { Actor } from "@/lib/history/server/record/record";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { decryptFor } from "@/lib/platform/secrets/field";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { find, sameVersion, type WebhookVersions } from "@/lib/webhooks/model/webhook-version";
import type { Transaction } from "kysely";
import { basisOf, endRow, findRow, proposalOf, valueIdentity } from "./stored";

/** A proposal that somebody is about to approve. */
export type Approval = {
  row: ProposalRow;
  /** The request of its save; the author's revision is outdated, so the basis counts instead. */
  request: Omit<SaveRequest, "revision">;
  basis: WebhookVersions;
  /** The author's role as it is now: nobody's approval lends the author rights. */
  authorIsAdmin: boolean;
};

/** Throws `not_found`, `proposal_over`, or why these two people cannot do it. */
export async function openApproval(
  environmentRef: EnvironmentRef,
  proposalId: string,
  approverId: string,
): Promise<Approval> {
  const row = await pendingRow(db(), environmentRef, proposalId);
  const { authorIsAdmin } = await requireTwoPeople(db(), row, approverId);
  return {
    row,
    request: {
      type: row.applies_to,
      url: row.url,
      authorization: await authorizationOf(row),
      ...(row.confirmed === 1 && { confirm: true as const }),
    },
    basis: basisOf(row),
    authorIsAdmin,
  };
}

/** Throws `not_found`, or `proposal_over` with its state. */
export async function pendingRow(
  executor: Executor,
  environmentRef: EnvironmentRef,
  proposalId: string,
): Promise<ProposalRow> {
  const row = await findRow(executor, environmentRef, proposalId);
  if (!row) throw new ProblemError("not_found", { applied: "no" });
  if (row.state !== "pending" || row.overdue) throw over(row);
  return row;
}

function over(row: ProposalRow): ProblemError {
  const state = row.state === "pending" ? "expired" : row.state;
  return new ProblemError("proposal_over", { applied: "no", extra: { state } });
}

/**
 * By person, not by session, and by present roles: `own_proposal`, `forbidden` where the approver, or `author_may_not`
 * where the author could not make the change alone, `no_second_person` where one let the other in.
 */
async function requireTwoPeople(
  executor: Executor,
  row: ProposalRow,
  approverId: string,
): Promise<{ authorIsAdmin: boolean }> {
  if (row.author_id === approverId) throw new ProblemError("own_proposal", { applied: "no" });
  const people = await approversOf(executor, row.partner_id);
  const approver = people.find(({ id }) => id === approverId);
  if (!approver) throw new ProblemError("forbidden", { applied: "no" });
  const author = authorAmong(people, row);
  if (!author) throw new ProblemError("author_may_not", { applied: "no" });
  if (!areTwoPeople(author, approver))
    throw new ProblemError("no_second_person", { applied: "no" });
  return { authorIsAdmin: author.role === "admin" };
}

async function authorizationOf(row: ProposalRow): Promise<SaveRequest["authorization"]> {
  const action = row.authorization_action;
  if (action !== "replace") return { action };
  if (row.value_ciphertext === null) throw over(row);
  const identity = valueIdentity(row.id);
  const value = await decryptFor(db(), row.partner_id, identity, row.value_ciphertext);
  return { action, value: value.reveal() };
}

/** Whether the service still holds the proposal's basis, for its types. */
export function isOnBasis({ basis }: Approval, now: WebhookVersions): boolean {
  return basis.every(({ type, state }) => sameVersion(state, find(now, type)));
}

/**
 * Approves it in the transaction that records the save's intent: of racing approvals, withdrawals and new proposals,
 * one is first. Checks again everything that may have changed meanwhile.
 */
export async function claim(
  trx: Transaction<Database>,
  { row, authorIsAdmin }: Approval,
  actor: Actor,
  requestId: string,
): Promise<void> {
  await lockPartner(trx, row.partner_id);
  const now = await requireTwoPeople(trx, row, actor.id);
  if (authorIsAdmin && !now.authorIsAdmin)
    throw new ProblemError("author_may_not", { applied: "no" });
  if (await endRow(trx, row, { state: "approved", actor, requestId })) return;
  throw over((await findRow(trx, refOf(row), row.id)) ?? row);
}

function refOf(row: ProposalRow) {
  return { partnerId: row.partner_id, environment: row.environment };
}

/** The proposal as the save of an approved one records it. */
export function proposalFields(approval: Approval | null) {
  return approval ? { proposal: proposalOf(approval.row) } : {};
}
