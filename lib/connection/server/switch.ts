import "server-only";
import { claim, proposalOf, type ProposalRow } from "@/lib/changes/server/proposals";
import { secretIdentity } from "@/lib/partners/server/connection";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { recordHistory } from "@/lib/history/server/record/record";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { forgetOverview } from "@/lib/partners/server/list/overview";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { encryptFor } from "@/lib/platform/secrets/field";
import { lockConnection } from "@/lib/webhooks/server/save/connection-lock";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import { closePendingSaves, followedSaves } from "@/lib/webhooks/server/save/save-record";
import type { Transaction } from "kysely";
import { storeCheck, type CheckContext } from "./check-record";
import { takesSecondAdmin } from "./proposals";

type Switch = {
  access: PartnerAccess;
  candidate: PartnerConnection;
  /** The credentials in use; null where nothing is set up. */
  before: PartnerConnection | null;
  secretReplaced: boolean;
  /** The fault that the check of the candidate found, if it is used in spite of it. */
  fault: Fault | null;
  context: CheckContext;
  /** The proposal that it applies, where somebody else proposed it. */
  proposal?: ProposalRow;
};

const waitForSaveMs = 4_000;

/**
 * Replaces the credentials in use with the candidate, atomically: every later call of the service uses the new ones.
 * False when somebody else was quicker. Throws `save_in_progress`, `forbidden` for a person whose role has changed,
 * `changed_meanwhile` where it takes a second admin by now, or why a proposal cannot be approved.
 */
export async function switchTo(run: Switch): Promise<boolean> {
  if (!run.before) return store(run, false);
  // A save is read back as the client that made it.
  const lock = await lockConnection(run.before.id, waitForSaveMs);
  if (!lock) throw new ProblemError("save_in_progress", { applied: "no", retryable: true });
  try {
    return await store(run, run.before.clientId !== run.candidate.clientId);
  } finally {
    await lock.release();
  }
}

async function store(run: Switch, otherClient: boolean): Promise<boolean> {
  const { access, candidate, before, secretReplaced, fault, context, proposal } = run;
  const identity = secretIdentity(candidate.id);
  const ciphertext = await encryptFor(db(), context.partnerId, identity, candidate.clientSecret);
  const open = otherClient ? await followedSaves({ id: candidate.id }) : [];
  const stored = await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      if (before && !proposal && (await takesSecondAdmin(trx, context)))
        throw new ProblemError("changed_meanwhile", { applied: "no" });
      const won = before ? await update(trx, run, ciphertext) : await insert(trx, run, ciphertext);
      if (!won) return false;
      if (proposal) await claim(trx, { row: proposal }, context);
      await closePendingSaves(trx, open);
      if (otherClient) await forgetOverview(trx, context);
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
      updated_at: Date.now(),
      changed_by: proposal?.author_name ?? context.actor.name,
      approved_by: proposal ? context.actor.name : null,
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
  const now = Date.now();
  const inserted = await trx
    .insertInto("connections")
    .values({
      id: candidate.id,
      partner_id: context.partnerId,
      environment: context.environment,
      client_id: candidate.clientId,
      secret_ciphertext: ciphertext,
      version: candidate.version,
      created_at: now,
      updated_at: now,
      changed_by: context.actor.name,
    })
    .onConflict((conflict) => conflict.columns(["partner_id", "environment"]).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}
