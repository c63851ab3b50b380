import "server-only";
import { saveOutcomes, typeOutcomes } from "@/lib/history/model/kind";
import { holdLease, isHeld, type Lease } from "@/lib/platform/database/lease";
import { db, type Executor } from "@/lib/platform/database/open";
import { isFollowed, type ChangeRow, type Database } from "@/lib/platform/database/tables";
import { elapsedSince, steadyNow } from "@/lib/platform/database/steady-clock";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { HistoryDetail } from "@/lib/history/model/entry";
import { webhookVersionSchema } from "@/lib/history/model/webhook-change";
import { actorOf, asKnownNow, recordHistory, type Actor } from "@/lib/history/server/record/record";
import { typedValue } from "@/lib/history/model/item";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { isProblemCode, type ProblemCode } from "@/lib/platform/http/model/problem-code";
import { sql, type ExpressionBuilder, type InsertObject, type Transaction } from "kysely";
import * as z from "zod";
import type { SaveOutcome, TypeOutcome } from "@/lib/webhooks/model/configuration";
import {
  answerOf,
  isOpen,
  isSeen,
  outcomeOf,
  unconfirmedResults,
  type FollowedSave,
  type TypeResult,
} from "@/lib/webhooks/server/read/reconcile";
import {
  find,
  shownValues,
  type WebhookVersion,
  type WebhookVersions,
} from "@/lib/webhooks/model/webhook-version";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { askedOf, askedSchema, type Asked } from "@/lib/webhooks/model/asked";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import type { PartnerAccess } from "@/lib/platform/access/require";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import { proposalOf } from "@/lib/changes/server/proposals";
import type { DesiredChange } from "./plan";

const versionsSchema = z.array(
  z.object({
    type: z.enum(webhookTypes),
    state: webhookVersionSchema,
    typed: z.boolean().optional(),
    known: z.enum(shownValues).optional(),
  }),
);
/** The versions in `before_json` or `desired_json` of a webhook change. */
export function versionsIn(stored: string | null): WebhookVersions {
  return versionsSchema.parse(JSON.parse(stored ?? "[]"));
}
/** The requested fields of a row that has them. */
export function askedIn({ asked_json }: Pick<ChangeRow, "asked_json">): Asked {
  return askedSchema.parse(JSON.parse(asked_json ?? "null"));
}
const answersSchema = z.array(
  z.object({
    type: z.enum(webhookTypes),
    answer: z.enum(["none", "acknowledged", "refused", "unclear"]),
  }),
);
const resultsSchema = z.array(
  z.object({
    type: z.enum(webhookTypes),
    outcome: z.enum(typeOutcomes),
    authorization: z.literal("not_shown").optional(),
    otherValue: z.literal(true).optional(),
    seenAt: z.number().optional(),
    lookedAfterTime: z.literal(true).optional(),
    open: z.boolean(),
    /** The history's last outcome for it. */
    reportedOutcome: z.enum(typeOutcomes),
  }),
);

/** A save's durable record. Its id is the one that the browser sent. */
export type SaveRecord = FollowedSave & {
  partnerId: string;
  environment: string;
  connectionId: string;
  requestId: string;
  actor: Actor;
  /** The last outcome in the history for each type; empty before the first. */
  reported: ReadonlyMap<WebhookType, TypeOutcome>;
  /** The proposal that it applies; the actor is then the approver. */
  proposal?: HistoryDetail["save"]["proposal"];
};

type Intent = Pick<
  SaveRecord,
  "id" | "partnerId" | "environment" | "requestId" | "actor" | "desired" | "before" | "proposal"
> & {
  asked: Asked;
  connection: Pick<PartnerConnection, "id" | "baseUrl" | "clientId">;
};

/** One save while it holds the lock. */
type LockedSave = {
  access: PartnerAccess;
  connectionRef: EnvironmentRef & { connection: PartnerConnection };
  request: Omit<SaveRequest, "revision" | "operation">;
  operation: string;
  context: RequestContext;
  /** The approved proposal. */
  approval: { row: ChangeRow } | null;
};

/** Each type's version before and its desired one, as the intent records them. */
export function intentOf(
  press: LockedSave,
  plan: readonly Pick<DesiredChange, "type" | "before" | "known" | "desired">[],
): Intent {
  const { connectionRef, context, operation, approval, request } = press;
  return {
    ...connectionRef,
    id: operation,
    asked: askedOf(request),
    requestId: context.requestId,
    actor: actorOf(press.access.viewer, context),
    ...(approval && { proposal: proposalOf(approval.row) }),
    before: plan.map(({ type, before, known }) => ({ type, state: before, known })),
    desired: desiredIn(press, plan),
  };
}

export function desiredIn(
  { request }: Pick<LockedSave, "request">,
  plan: readonly Pick<DesiredChange, "type" | "desired">[],
): WebhookVersions {
  const typed = request.authorization.action === "replace";
  return plan.map(({ type, desired }) => ({ type, state: desired, ...(typed && { typed }) }));
}

/** The row of a change. */
export function rowOf({
  partnerId,
  environment,
  id,
}: Pick<SaveRecord, "partnerId" | "environment" | "id">) {
  return (eb: ExpressionBuilder<Database, "changes">) =>
    eb.and({ partner_id: partnerId, environment, id });
}

/** How long after it was sent a save's time is over, milliseconds: it ends at the first readings after that. */
export function followMs(): number {
  return saveTimings.followAtMs.at(-1) ?? 0;
}

/** SQL for the time of the follower's next fetch: `after` milliseconds from now. */
export function inMs(after: number) {
  return sql<number>`${steadyNow()} + cast(${Math.round(after)} as integer)`;
}

/** The follower closes an unsent save once the lock of the process that began it has expired, milliseconds. */
const leftBehindMs = 25_000;

/**
 * Step 1: records the intent, with its history row and `withIt` in the same transaction, before anything is sent. An
 * approved proposal's intent goes into its own row, which `withIt` has claimed. Requires the connection's lock: throws
 * `LeaseLost`.
 */
export async function recordIntent(
  intent: Intent,
  lease: Lease,
  withIt?: (trx: Transaction<Database>) => Promise<void>,
): Promise<SaveRecord> {
  const record = recordOf(intent);
  await db()
    .transaction()
    .execute(async (trx) => {
      await holdLease(trx, lease);
      await withIt?.(trx);
      await recordAttempt(trx, record);
      const followed = { state: "recorded", next_check_at: inMs(leftBehindMs) } as const;
      if (record.proposal)
        await trx
          .updateTable("changes")
          .set({ ...intended(record, intent), ...followed, decided_at: record.createdAt })
          .where(rowOf(record))
          .execute();
      else await insertRow(trx, record, intent, followed);
    });
  return record;
}

/** Records an attempt that is not sent. A proposal goes on waiting: only the history has the attempt. */
export async function recordNotSent(
  intent: Intent,
  lease: Lease,
  { results, outcome, problem }: SaveStatus,
): Promise<void> {
  await db()
    .transaction()
    .execute(async (trx) => {
      await holdLease(trx, lease);
      const record = recordOf({ ...intent, actor: await asKnownNow(trx, intent.actor) });
      await recordAttempt(trx, record);
      if (!record.proposal) {
        const over = { state: "closed", outcome, problem, closed_at: Date.now() } as const;
        await insertRow(trx, record, intent, { ...over, results_json: stored(record, results) });
      }
      await recordOutcome(trx, record, { results, outcome, problem });
    });
}

function recordOf({ connection, ...intent }: Intent): SaveRecord {
  return {
    ...intent,
    connectionId: connection.id,
    createdAt: databaseTime(),
    names: namesOf(intent),
    reported: new Map(),
    state: "recorded",
    answers: null,
    results: null,
    sinceSentMs: 0,
  };
}

function intended(record: SaveRecord, { connection }: Intent) {
  return {
    request_id: record.requestId,
    client_address: record.actor.clientAddress,
    desired_json: JSON.stringify(record.desired),
    before_json: JSON.stringify(record.before),
    base_url: connection.baseUrl,
    client_id: connection.clientId,
  };
}

async function insertRow(
  trx: Transaction<Database>,
  record: SaveRecord,
  intent: Intent,
  end: { state: ChangeRow["state"] } & Partial<InsertObject<Database, "changes">>,
): Promise<void> {
  await trx
    .insertInto("changes")
    .values({
      partner_id: record.partnerId,
      environment: record.environment,
      id: record.id,
      connection_id: record.connectionId,
      kind: "webhooks",
      applies_to: intent.asked.type,
      asked_json: JSON.stringify(intent.asked),
      author_id: record.actor.id,
      author_name: record.actor.name,
      created_at: record.createdAt,
      ...intended(record, intent),
      ...end,
    })
    .execute();
}

async function recordAttempt(trx: Transaction<Database>, record: SaveRecord): Promise<void> {
  await recordHistory(trx, {
    ...historyBase(record),
    kind: "save_attempt",
    outcome: null,
    detail: {
      saveId: record.id,
      desired: record.desired.map((each) => ({
        type: each.type,
        state: withoutTypedFingerprint(each),
      })),
      ...proposalIn(record),
    },
  });
}

/**
 * Step 2: from here on something may have been sent. null where this process stalled until its lock expired and another
 * one ended the save: nothing may be sent then.
 */
export async function markSent(record: SaveRecord, lease: Lease): Promise<SaveRecord | null> {
  const { numUpdatedRows } = await db()
    .updateTable("changes")
    .set({
      state: "sent",
      sent_at: steadyNow(),
      next_check_at: inMs(saveTimings.followAtMs[0]),
    })
    .where(rowOf(record))
    .where("state", "=", "recorded")
    .where(isHeld(lease))
    .executeTakeFirst();
  return numUpdatedRows === 1n ? { ...record, state: "sent" } : null;
}

export type SaveStatus = {
  results: TypeResult[];
  outcome: SaveOutcome;
  problem: ProblemCode | null;
};

/**
 * Whether the history needs a new entry for a save: at its end for a new outcome; before that only where a save
 * recorded as ended has taken effect after all, or where the address is confirmed and the value cannot be. An effect
 * that is only seen is confirmed within seconds.
 */
export function changesHistory(
  { reported, results: recorded }: SaveRecord,
  results: readonly TypeResult[],
): boolean {
  if (reported.size === 0) return true;
  return results.some(({ type, outcome, authorization, seenAt }) => {
    const earlier = recorded?.find((each) => each.type === type);
    if (authorization && !earlier?.authorization) return true;
    if (seenAt !== undefined) return false;
    const before = reported.get(type);
    if (before === outcome) return false;
    return !isOpen(results) || (before !== undefined && finalOutcomes.has(before));
  });
}

const finalOutcomes: ReadonlySet<TypeOutcome> = new Set(["not_saved", "not_applied", "overtaken"]);

export function saveStatusOf(results: TypeResult[], problem: ProblemCode | null): SaveStatus {
  return { results, outcome: outcomeOf(results.map(({ outcome }) => outcome)), problem };
}

/**
 * Records the state of a save, in the caller's transaction. `inHistory`: adds a row to the history. A closed save stays
 * unchanged.
 */
export async function recordSaveStatus(
  trx: Transaction<Database>,
  record: SaveRecord,
  { results, outcome, problem }: SaveStatus,
  { inHistory = true, attributable = false }: { inHistory?: boolean; attributable?: boolean } = {},
): Promise<void> {
  const state = isOpen(results) ? "open" : attributable ? "ended" : "closed";
  const { numUpdatedRows } = await trx
    .updateTable("changes")
    .set({
      state,
      outcome,
      problem,
      results_json: stored(record, results, inHistory),
      ...(record.answers && { answers_json: JSON.stringify(record.answers) }),
      ...(state !== "open" && { closed_at: Date.now() }),
      ...(state === "closed" && { next_check_at: null }),
      ...(results.some(isSeen) && { next_check_at: inMs(saveTimings.confirmMs) }),
    })
    .where(rowOf(record))
    .where(isFollowed)
    .executeTakeFirst();
  if (numUpdatedRows > 0n && inHistory)
    await recordOutcome(trx, record, { results, outcome, problem });
}

function stored(
  { reported }: SaveRecord,
  results: readonly TypeResult[],
  inHistory = true,
): string {
  return JSON.stringify(
    results.map((result) => {
      const before = inHistory ? undefined : reported.get(result.type);
      return { ...result, reportedOutcome: before ?? result.outcome };
    }),
  );
}

async function recordOutcome(
  trx: Transaction<Database>,
  record: SaveRecord,
  { results, outcome, problem }: SaveStatus,
): Promise<void> {
  await recordHistory(trx, {
    ...historyBase(record),
    kind: "save",
    outcome,
    detail: {
      saveId: record.id,
      problem,
      ...(record.reported.size > 0 && { earlier: outcomeOf([...record.reported.values()]) }),
      changes: results.map(({ type, outcome: ofType, authorization, otherValue }) => ({
        type,
        outcome: ofType,
        ...(authorization && { authorization }),
        ...(otherValue && { otherValue }),
        ...(isInEffect(ofType) && answerOf(record, type) === "refused" && { refused: true }),
        before: find(record.before, type),
        after: afterOf(record, type, ofType),
      })),
      ...proposalIn(record),
    },
  });
}

function isInEffect(outcome: TypeOutcome): boolean {
  return outcome === "created" || outcome === "overwritten";
}

/** A desired version as the history stores it while the service does not hold it. */
export function withoutTypedFingerprint({ state, typed }: WebhookVersions[number]): WebhookVersion {
  return state && typed && state.fingerprint !== null
    ? { ...state, fingerprint: typedValue }
    : state;
}

function afterOf({ desired }: SaveRecord, type: WebhookType, outcome: TypeOutcome): WebhookVersion {
  const version = desired.find((each) => each.type === type);
  if (!version) return null;
  return isInEffect(outcome) || outcome === "unchanged"
    ? version.state
    : withoutTypedFingerprint(version);
}

/**
 * Ends saves without a fetch: unsent ones as not saved, others as unknown. No later fetch can show their effect, since
 * the service is now read as another client or at another address. `areFollowed`: it only cannot be read now, so those
 * that may have been sent stay open.
 */
export async function closePendingSaves(
  trx: Transaction<Database>,
  saves: readonly SaveRecord[],
  { areFollowed = false } = {},
): Promise<void> {
  for (const save of saves) {
    const results = (save.results ?? unconfirmedResults(save)).map((result): TypeResult => {
      if (!result.open && save.state !== "recorded") return result;
      const { type, otherValue } = result;
      const isSure = save.state === "recorded" || result.outcome === "not_saved";
      if (isSure) return { type, outcome: "not_saved", open: false };
      if (areFollowed) return result;
      return { type, outcome: "unknown", ...(otherValue && { otherValue }), open: false };
    });
    const status = saveStatusOf(results, save.state === "recorded" ? "not_saved" : null);
    await recordSaveStatus(trx, save, status, { inHistory: changesHistory(save, results) });
  }
}

/**
 * Open saves of a connection, in the order in which they were sent. With its base address and client, leaves out those
 * that went to another service, or as another client.
 */
export async function followedSaves(
  connection: Pick<PartnerConnection, "id"> & Partial<PartnerConnection>,
  executor: Executor = db(),
): Promise<SaveRecord[]> {
  const { baseUrl, clientId } = connection;
  const isOr = (stored: string, wanted: string | undefined) =>
    wanted === undefined || stored === wanted;
  const rows = await executor
    .selectFrom("changes")
    .selectAll()
    .select(steadyNow().as("now"))
    .where("connection_id", "=", connection.id)
    .where(isFollowed)
    .orderBy((eb) => eb.fn.coalesce("decided_at", "created_at"))
    .execute();
  return rows
    .filter(({ base_url, client_id }) => isOr(base_url, baseUrl) && isOr(client_id, clientId))
    .map(({ now, ...row }) => savedAs(row, now))
    .sort((a, b) => b.sinceSentMs - a.sinceSentMs);
}

function savedAs(row: ChangeRow, now: number): SaveRecord {
  const author = { id: row.author_id, name: row.author_name };
  const approver =
    row.decided_by_id === null ? null : { id: row.decided_by_id, name: row.decided_by ?? "" };
  const actor = { ...(approver ?? author), clientAddress: row.client_address };
  const proposal = approver ? { id: row.id, author } : undefined;
  return {
    id: row.id,
    partnerId: row.partner_id,
    environment: row.environment,
    connectionId: row.connection_id ?? "",
    requestId: row.request_id,
    actor,
    names: namesOf({ actor, proposal }),
    desired: versionsIn(row.desired_json),
    before: versionsIn(row.before_json),
    answers: answersIn(row),
    results: resultsIn(row),
    reported: new Map(
      storedResults(row).map(({ type, reportedOutcome }) => [type, reportedOutcome]),
    ),
    state: followedStates.find((state) => state === row.state) ?? "ended",
    createdAt: row.decided_at ?? row.created_at,
    sinceSentMs: row.sent_at === 0 ? 0 : elapsedSince(row.sent_at, now),
    ...(proposal && { proposal }),
  };
}

export function answersIn({
  answers_json,
}: Pick<ChangeRow, "answers_json">): SaveRecord["answers"] {
  return answers_json === null ? null : answersSchema.parse(JSON.parse(answers_json));
}

const followedStates = ["recorded", "sent", "open", "ended"] as const;

function storedResults({ results_json }: Pick<ChangeRow, "results_json">) {
  return results_json === null ? [] : resultsSchema.parse(JSON.parse(results_json));
}

export function resultsIn(row: Pick<ChangeRow, "results_json">): TypeResult[] | null {
  if (row.results_json === null) return null;
  return storedResults(row).map(({ reportedOutcome: _reportedOutcome, ...result }) => result);
}

/** The last recorded status of a save; null while it is in progress, or where a crash left it so. */
export function statusIn(row: ChangeRow): SaveStatus | null {
  const results = resultsIn(row);
  const outcome = saveOutcomes.find((known) => known === row.outcome);
  const problem = isProblemCode(row.problem) ? row.problem : null;
  return results && outcome ? { results, outcome, problem } : null;
}

function namesOf({
  actor,
  proposal,
}: {
  actor: Actor;
  proposal?: SaveRecord["proposal"];
}): SaveRecord["names"] {
  return proposal ? { by: proposal.author.name, approvedBy: actor.name } : { by: actor.name };
}

function proposalIn({ proposal }: Pick<SaveRecord, "proposal">) {
  return proposal ? { proposal } : {};
}

function historyBase(record: SaveRecord) {
  return {
    partnerId: record.partnerId,
    environment: record.environment,
    types: record.desired.map(({ type }) => type),
    actor: record.actor,
    requestId: record.requestId,
  };
}
