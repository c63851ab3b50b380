import "server-only";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import type { Executor } from "@/lib/platform/database/open";
import type { Database, ProposalRow } from "@/lib/platform/database/tables";
import { timeOfDay } from "@/lib/platform/database/steady-clock";
import { recordHistory, type Actor } from "@/lib/history/server/record/record";
import type { FieldIdentity } from "@/lib/platform/secrets/field";
import { versionsSchema } from "@/lib/webhooks/server/save/save-record";
import { typesOf } from "@/lib/webhooks/model/types";
import type { SqlBool, Transaction } from "kysely";

/** The context that a proposal's value is encrypted for. */
export function valueIdentity(proposalId: string): FieldIdentity {
  return { table: "proposals", row: proposalId, column: "value" };
}

/** What the service held when it was proposed, for its types. */
export function basisOf(row: ProposalRow) {
  return versionsSchema.parse(JSON.parse(row.basis_json));
}

/** `overdue`: its time is over, whether or not anybody has ended it. */
export type StoredProposal = ProposalRow & { overdue: SqlBool };

/** The waiting ones of one environment, overdue ones included, the oldest first. */
export async function pendingRows(
  executor: Executor,
  partnerId: string,
  environment: string,
): Promise<StoredProposal[]> {
  return executor
    .selectFrom("proposals")
    .selectAll()
    .select((eb) => eb("expires_at", "<=", timeOfDay()).as("overdue"))
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("state", "=", "pending")
    .orderBy("created_at")
    .execute();
}

export async function findRow(
  executor: Executor,
  environmentRef: EnvironmentRef,
  id: string,
): Promise<StoredProposal | undefined> {
  return executor
    .selectFrom("proposals")
    .selectAll()
    .select((eb) => eb("expires_at", "<=", timeOfDay()).as("overdue"))
    .where("id", "=", id)
    .where("partner_id", "=", environmentRef.partnerId)
    .where("environment", "=", environmentRef.environment)
    .executeTakeFirst();
}

type ProposalOutcome = {
  state: Exclude<ProposalRow["state"], "pending">;
  /** null: nobody, it expired. */
  actor: Actor | null;
  requestId: string | null;
  /** A message of the person who ends it, for its author. */
  reason?: string | null;
};

/**
 * The one step that ends a proposal, with its history row, in the caller's transaction: of several that try, one
 * succeeds and gets `true`. Deletes the proposal's value. Only expiring ends an overdue one.
 */
export async function endRow(
  trx: Transaction<Database>,
  row: ProposalRow,
  { state, actor, requestId, reason = null }: ProposalOutcome,
): Promise<boolean> {
  const ended = await trx
    .updateTable("proposals")
    .set({
      state,
      value_ciphertext: null,
      ended_at: Date.now(),
      ended_by_id: actor?.id ?? null,
      ended_by: actor?.name ?? null,
      end_reason: reason,
    })
    .where("id", "=", row.id)
    .where("state", "=", "pending")
    .where("expires_at", state === "expired" ? "<=" : ">", timeOfDay())
    .executeTakeFirst();
  if (ended.numUpdatedRows !== 1n) return false;
  await recordHistory(trx, {
    ...aboutRow(row),
    kind: "proposal_ended",
    actor,
    requestId,
    outcome: state,
    detail: { proposal: proposalOf(row), ...(reason === null ? {} : { reason }) },
  });
  return true;
}

export function aboutRow(row: Pick<ProposalRow, "partner_id" | "environment" | "applies_to">) {
  return {
    partnerId: row.partner_id,
    environment: row.environment,
    types: typesOf(row.applies_to),
  };
}

/** As the history names it. */
export function proposalOf(row: Pick<ProposalRow, "id" | "author_id" | "author_name">) {
  return { id: row.id, author: { id: row.author_id, name: row.author_name } };
}
