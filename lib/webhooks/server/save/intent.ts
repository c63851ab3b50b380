import "server-only";
import { actorOf, asKnownNow, recordHistory } from "@/lib/history/server/record/record";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { typesOf } from "@/lib/platform/payment-service/contract/terms";
import { proposalOf } from "@/lib/changes/server/proposals";
import { holdLease, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { steadyNow } from "@/lib/platform/database/steady-clock";
import type { ChangeRow, Database } from "@/lib/platform/database/tables";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { Secret } from "@/lib/platform/runtime/secret";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { askedOf } from "@/lib/webhooks/model/asked";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { find, type WebhookVersions } from "@/lib/webhooks/model/webhook-version";
import { fingerprintOrNull, type ConnectionRef } from "@/lib/webhooks/server/observe/remote-state";
import { attemptEntry, sentEntry } from "@/lib/webhooks/server/observe/save-entries";
import { inMs, rowOf, type SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import { withAnswers } from "@/lib/webhooks/server/observe/saves";
import type { InsertObject, Transaction } from "kysely";
import type { DesiredChange } from "./plan";

/** What a save records before its write. */

/** One save while it holds the lock. */
export type LockedSave = {
  access: PartnerAccess;
  connectionRef: ConnectionRef;
  lease: Lease;
  request: Omit<SaveRequest, "revision" | "operation">;
  changeId: string;
  context: RequestContext;
  /** The approved proposal. */
  approval: { row: ChangeRow } | null;
};

/** The record of a save that is about to be carried out, or refused before that. */
export function recordOf(
  submission: LockedSave,
  plan: readonly Pick<DesiredChange, "type" | "before" | "desired" | "changes">[],
): SaveRecord {
  const { connectionRef, context, changeId, approval, request } = submission;
  const isTyped = request.authorization.action === "replace";
  const askedAt = databaseTime();
  return {
    id: changeId,
    partnerId: connectionRef.partnerId,
    environment: connectionRef.environment,
    connectionId: connectionRef.connection.id,
    requestId: context.requestId,
    actor: actorOf(submission.access.viewer, context),
    ...(approval && { proposal: proposalOf(approval.row) }),
    state: "closed",
    createdAt: approval?.row.created_at ?? askedAt,
    askedAt,
    sentAt: null,
    now: 0,
    problem: null,
    types: plan.map(({ type, before, desired, changes }) => ({
      type,
      asked: desired,
      before,
      sentAt: Infinity,
      ...(isTyped && { typed: true }),
      ...(!changes && { unchanged: true as const }),
    })),
  };
}

/**
 * Records the intent before anything is sent, with its history entry and `withIt` in the same transaction: from its
 * commit on, something may have been sent, unless every type is as asked; then it is closed. An approved proposal's
 * intent goes into its own row, which `withIt` has claimed. `beforeCommit`: the last step. Throws `LeaseLost`.
 */
export async function recordIntent(
  submission: LockedSave,
  intent: SaveRecord,
  {
    withIt,
    beforeCommit,
  }: { withIt: (trx: Transaction<Database>) => Promise<void>; beforeCommit: () => void },
): Promise<SaveRecord> {
  const isSent = intent.types.some(({ unchanged }) => !unchanged);
  return db()
    .transaction()
    .execute(async (trx) => {
      await holdLease(trx, submission.lease);
      await withIt(trx);
      const ended = isSent ? [] : [sentEntry(intent)];
      await recordHistory(trx, attemptEntry(intent), ...ended);
      const row = isSent
        ? {
            state: "sent" as const,
            sent_at: steadyNow(),
            next_check_at: inMs(saveTimings.followAtMs[0]),
          }
        : { state: "closed" as const, closed_at: Date.now() };
      const { sent_at: now } = intent.proposal
        ? await trx
            .updateTable("changes")
            .set({ ...intended(submission, intent), ...row, decided_at: intent.askedAt })
            .where(rowOf(intent))
            .returning("sent_at")
            .executeTakeFirstOrThrow()
        : await insertRow(trx, submission, intent, row);
      beforeCommit();
      const { state } = row;
      if (!isSent) return { ...intent, state };
      const types = intent.types.map((each) => ({ ...each, sentAt: now }));
      return { ...intent, state, sentAt: now, now, types };
    });
}

/** Records an attempt of which nothing is sent. A proposal goes on waiting: only the history has the attempt. */
export async function recordUnsent(
  submission: LockedSave,
  intended: SaveRecord,
  problem: ProblemCode,
): Promise<SaveRecord> {
  return db()
    .transaction()
    .execute(async (trx) => {
      await holdLease(trx, submission.lease);
      const actor = await asKnownNow(trx, intended.actor);
      const record = {
        ...withAnswers({ ...intended, problem, actor }, "unsent"),
        state: "closed" as const,
      };
      if (!record.proposal) {
        const answers_json = JSON.stringify(
          record.types.map(({ type }) => ({ type, answer: "unsent" })),
        );
        const over = { state: "closed", problem, answers_json, closed_at: Date.now() } as const;
        await insertRow(trx, submission, record, over);
      }
      await recordHistory(trx, attemptEntry(record), sentEntry(record));
      return record;
    });
}

/** Records an attempt of which nothing is sent. "keep" counts as the value that is shown. */
export async function recordRefused(
  submission: LockedSave,
  shown: WebhookVersions,
  reason: ProblemCode,
): Promise<SaveRecord> {
  const { authorization, url, type: appliesTo } = submission.request;
  const typed = authorization.action === "replace" ? new Secret(authorization.value) : null;
  const fingerprint = await fingerprintOrNull(db(), submission.connectionRef.partnerId, typed);
  const plan = typesOf(appliesTo).map((type) => {
    const before = find(shown, type);
    const kept = authorization.action === "keep" ? (before?.fingerprint ?? null) : fingerprint;
    return { type, before, desired: { callbackUrl: url, fingerprint: kept }, changes: true };
  });
  return recordUnsent(submission, recordOf(submission, plan), reason);
}

function intended({ connectionRef: { connection } }: LockedSave, record: SaveRecord) {
  return {
    request_id: record.requestId,
    client_address: record.actor.clientAddress,
    desired_json: JSON.stringify(
      record.types.map(({ type, asked: state, typed, unchanged }) => ({
        type,
        state,
        typed,
        unchanged,
      })),
    ),
    before_json: JSON.stringify(record.types.map(({ type, before: state }) => ({ type, state }))),
    base_url: connection.baseUrl,
    client_id: connection.clientId,
  };
}

async function insertRow(
  trx: Transaction<Database>,
  submission: LockedSave,
  record: SaveRecord,
  end: { state: ChangeRow["state"] } & Partial<InsertObject<Database, "changes">>,
): Promise<Pick<ChangeRow, "sent_at">> {
  const asked = askedOf(submission.request);
  return trx
    .insertInto("changes")
    .values({
      partner_id: record.partnerId,
      environment: record.environment,
      id: record.id,
      connection_id: record.connectionId,
      kind: "webhooks",
      applies_to: asked.type,
      asked_json: JSON.stringify(asked),
      author_id: record.actor.id,
      created_at: record.askedAt,
      ...intended(submission, record),
      ...end,
    })
    .returning("sent_at")
    .executeTakeFirstOrThrow();
}
