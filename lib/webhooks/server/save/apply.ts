import "server-only";
import { actorOf } from "@/lib/history/server/record/record";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { Transaction } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import type {
  SaveOutcome,
  SaveResult,
  SaveStep,
  WaitingResult,
} from "@/lib/webhooks/model/configuration";
import { confirmFetch, interpret, type ConfirmedFetch } from "@/lib/webhooks/server/read/confirm";
import { loadLastKnown, storeKnown, type LastKnown } from "@/lib/webhooks/server/read/last-known";
import {
  fetchRemoteState,
  type RemoteFetch,
  type ConnectionRef,
  fingerprintOrNull,
  versionsOf,
} from "@/lib/webhooks/server/read/remote-state";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import { callsFor, type DesiredChange, type FetchedState } from "./plan";
import { claim } from "@/lib/changes/server/proposals";
import {
  isOpen,
  isSeen,
  unconfirmedResults,
  type Answer,
} from "@/lib/webhooks/server/read/reconcile";
import {
  followedSaves,
  intentOf,
  markSent,
  recordIntent,
  saveStatusOf,
  type SaveRecord,
  recordNotSent,
  recordSaveStatus,
  type SaveStatus,
} from "./save-record";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import type { PartnerAccess } from "@/lib/platform/access/require";
import type { Deadline } from "@/lib/platform/runtime/deadline";
import { holdLease, type Lease } from "@/lib/platform/database/lease";
import {
  needsSecondPerson,
  type Approval,
} from "@/lib/webhooks/server/proposals/webhook-proposals";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { type WebhookVersions, find } from "@/lib/webhooks/model/webhook-version";
import { recordFault } from "@/lib/partners/server/list/overview";
import { Secret } from "@/lib/platform/runtime/secret";
import { problemInitOf, staleReasonOf, present } from "@/lib/webhooks/server/read/present";
import { resultOf } from "./operation";
import { typesOf } from "@/lib/platform/payment-service/contract/terms";

/** One save while it holds the lock. */
export type SaveRun = {
  access: PartnerAccess;
  connectionRef: ConnectionRef;
  lease: Lease;
  request: Omit<SaveRequest, "revision" | "operation">;
  operation: string;
  context: RequestContext;
  /** `saveTimings.saveMs` for all steps together. */
  deadline: Deadline;
  /** The approved proposal; null for a save that needs no approval. */
  approval: Approval | null;
  /** The state known so far: shown while the person waits, and answered when the save does not end in time. */
  progress: SaveProgress;
};

export type SaveProgress = {
  step: SaveStep;
  /** It may have been sent or stored for approval, so it cannot be reported as not saved any more. */
  mayTakeEffect: boolean;
  /** The recorded result, while the configuration for the answer is still being read. */
  recorded: { result: SaveResult | WaitingResult; fault: Fault | null } | null;
  /** It ran out of time, and was answered with `recorded`, or else as `mayTakeEffect` says. */
  givenUp: boolean;
};

/** What the service holds when the save begins. */
export type FetchedForSave = FetchedState & { known: LastKnown; versions: WebhookVersions };

export function knownAfter(known: LastKnown, { confirmed }: ConfirmedFetch): LastKnown {
  return { ...known, confirmed, epoch: confirmed.epoch, gatheredElsewhere: undefined };
}

/** The answer to a save that did not end in time. */
export function outOfTime(
  mayTakeEffect: boolean,
  operation: string,
  requestId: string,
): ProblemError {
  const outcome = mayTakeEffect ? "unknown" : "not_saved";
  const rest = { configuration: null, requestId, operation };
  return saveProblem({ outcome, results: [], ...rest, open: mayTakeEffect }, null);
}

/**
 * Throws "not saved" where the person already got that answer, or where too little time is left to learn the outcome.
 * Call it before anything that cannot be undone, as the last step of the transaction.
 */
export function requireInTime(run: SaveRun, neededMs = saveTimings.minWriteMs): void {
  const { progress, deadline, operation, context } = run;
  if (progress.givenUp || deadline.remainingMs < neededMs)
    throw outOfTime(false, operation, context.requestId);
}

/** This process stalled until its lock expired; the next holder has recorded that nothing was sent. */
function notSent({ desired, requestId, id: operation }: SaveRecord): ProblemError {
  const results = desired.map(({ type }) => ({ type, outcome: "not_saved" as const }));
  const rest = { configuration: null, requestId, operation };
  return saveProblem({ outcome: "not_saved", results, ...rest }, null);
}

export function resultOrThrow<Result extends SaveResult | WaitingResult>(
  result: Result,
  fault: Fault | null,
): Result {
  const isAnswer = ["saved", "unchanged", "accepted", "waiting"].includes(result.outcome);
  if (isAnswer || result.outcome === "waiting") return result;
  throw saveProblem(result, fault);
}

/** Why a save did not succeed, for both the history and the answer; null where it did, or still may. */
function reasonFor(outcome: SaveOutcome, fault: Fault | null): ProblemCode | null {
  // The service holds the desired state, whatever it answered.
  if (outcome === "saved") return fault?.code ?? null;
  if (outcome === "not_saved") return fault?.code ?? "not_saved";
  if (outcome === "partial") return "partly_saved";
  return outcome === "unknown" ? "outcome_unknown" : null;
}

/** A save that did not succeed: a problem with the members of a save's answer. */
function saveProblem(result: SaveResult, fault: Fault | null): ProblemError {
  const { outcome, results, configuration, operation, open } = result;
  const init = fault ? problemInitOf(fault) : {};
  const members = { outcome, results, configuration, operation, ...(open && { open }) };
  return new ProblemError(reasonFor(outcome, fault) ?? "not_saved", {
    ...init,
    // Only a save that certainly changed nothing may be retried without checking first.
    retryable: outcome === "not_saved" && (fault?.retryable ?? true),
    applied: outcome === "not_saved" ? "no" : "unknown",
    extra: { ...init.extra, ...(fault && { cause: fault.code }), ...members },
  });
}

/**
 * Records the state of a save, unless `recorded`: it was stored with the fetch that proved it. Returns the answer.
 * Throws `LeaseLost`: another process decides how it ends.
 */
async function describeSave(
  run: SaveRun,
  record: SaveRecord,
  status: SaveStatus,
  known: LastKnown | null,
  fault: Fault | null = null,
  recorded = false,
): Promise<SaveResult> {
  if (!recorded)
    await db()
      .transaction()
      .execute(async (trx) => {
        await holdLease(trx, run.lease);
        await recordSaveStatus(trx, record, status);
      });
  const { requestId } = run.context;
  const result = resultOf(record, status, {
    configuration: null,
    requestId,
    operation: run.operation,
  });
  run.progress.recorded = { result, fault };
  const configuration = known && (await present(run.connectionRef, known));
  return resultOrThrow({ ...result, configuration }, fault);
}

/** The service could not be read, so nothing was sent. */
export async function refuseUnreachable(
  run: SaveRun,
  known: LastKnown,
  fault: Fault,
): Promise<never> {
  const { requestId } = run.context;
  await recordFault(run.connectionRef, { code: fault.code, requestId, epoch: known.epoch });
  const versions = known.confirmed ? versionsOf(known.confirmed.remote) : [];
  const results = await recordRefused(run, { versions }, fault.code);
  const staleReason = staleReasonOf(fault, requestId);
  const configuration = known.confirmed && (await present(run.connectionRef, known, staleReason));
  const { operation } = run;
  throw saveProblem({ outcome: "not_saved", results, configuration, requestId, operation }, fault);
}

/** The configuration has changed since the form was opened, or since the proposal was made. */
export async function refuseStale(
  run: SaveRun,
  fetched: FetchedForSave,
  code: "stale_revision" | "proposal_stale",
): Promise<never> {
  await recordRefused(run, fetched, code);
  const configuration = await present(run.connectionRef, fetched.known);
  throw new ProblemError(code, { applied: "no", extra: { configuration } });
}

/** Records an unsent attempt. "keep" counts as the last confirmed value. */
export async function recordRefused(
  run: SaveRun,
  { versions: fetched }: Pick<FetchedForSave, "versions">,
  reason: ProblemCode,
) {
  const { request, connectionRef, lease } = run;
  const { authorization, url } = request;
  const typed = authorization.action === "replace" ? new Secret(authorization.value) : null;
  const fingerprint = await fingerprintOrNull(db(), connectionRef.partnerId, typed);
  const versions = typesOf(request.type).map((type) => {
    const before = find(fetched, type);
    const kept = authorization.action === "keep" ? (before?.fingerprint ?? null) : fingerprint;
    return { type, before, known: undefined, desired: { callbackUrl: url, fingerprint: kept } };
  });
  const results = versions.map(
    ({ type }) => ({ type, outcome: "not_saved", open: false }) as const,
  );
  await recordNotSent(intentOf(run, versions), lease, saveStatusOf([...results], reason));
  return results.map(({ type, outcome }) => ({ type, outcome }));
}

/** Records the intent, sends the changes, and fetches again to learn the outcome. */
export async function applySave(
  run: SaveRun,
  fetched: FetchedForSave,
  plan: readonly DesiredChange[],
): Promise<SaveResult> {
  const { lease } = run;
  requireInTime(run, saveTimings.minWriteMs + saveTimings.readBackMs);
  let { known } = fetched;
  const record = await recordIntent(intentOf(run, plan), lease, async (trx) => {
    await recheckRole(trx, run.access);
    known = await markTypedAsWritten(trx, run, known, plan);
    const { approval, context } = run;
    if (!approval) {
      // Four-eyes approval may have been switched on since.
      if (await needsSecondPerson(trx, run.connectionRef, plan, fetched))
        throw new ProblemError("changed_meanwhile", { applied: "no" });
      return;
    }
    const { requestId } = context;
    await claim(trx, approval, { actor: actorOf(run.access.viewer, context), requestId });
    requireInTime(run);
  });
  const changing = plan.filter(({ changes }) => changes);
  if (changing.length === 0) {
    const results = record.desired.map(
      ({ type }) => ({ type, outcome: "unchanged", open: false }) as const,
    );
    return describeSave(run, record, saveStatusOf(results, null), known);
  }

  if (run.progress.givenUp || run.deadline.remainingMs < saveTimings.minWriteMs)
    throw notSent(record);
  const sent = await markSent(record, lease);
  if (!sent) throw notSent(record);
  const { answers, fault } = await send(run, changing);
  const own = { ...sent, answers };
  return readBack(run, own, fault, known);
}

/** A typed value that the list already shows counts as written without being sent. */
async function markTypedAsWritten(
  trx: Transaction<Database>,
  { connectionRef, request }: SaveRun,
  before: LastKnown,
  plan: readonly DesiredChange[],
): Promise<LastKnown> {
  const shown = plan.filter(({ changes, known }) => !changes && known !== "value");
  if (request.authorization.action !== "replace" || shown.length === 0) return before;
  // Stops where another instance has stored a reading from another base address.
  for (let known = before; known.confirmed; known = await loadLastKnown(trx, connectionRef)) {
    const written = { ...known.confirmed.written };
    for (const { type, desired } of shown)
      written[type] = { value: desired.fingerprint, at: databaseTime() };
    if (await storeKnown(trx, connectionRef, known, { written }))
      return loadLastKnown(trx, connectionRef);
  }
  return before;
}

/** Sends the changes and stops at the first call that fails; sends nothing twice. */
async function send(
  { connectionRef, context, deadline, progress }: SaveRun,
  desired: readonly DesiredChange[],
) {
  const answers = desired.map(({ type }) => ({ type, answer: "none" as Answer }));
  for (const call of callsFor(desired)) {
    const timeoutMs = Math.max(
      saveTimings.minWriteMs,
      deadline.remainingMs - saveTimings.readBackMs,
    );
    const result = await partnerApi().register(connectionRef.connection, call, {
      requestId: context.requestId,
      timeoutMs,
      // Well before the answer could report it as not sent.
      notAfter: deadline.endsAt - saveTimings.minWriteMs,
      onSend: () => {
        progress.step = "sending";
        progress.mayTakeEffect = true;
      },
    });
    const answer = classifyAnswer(result);
    for (const entry of answers)
      if (call.type === null || call.type === entry.type) entry.answer = answer;
    if (!result.ok) return { answers, fault: result.fault };
  }
  return { answers, fault: null };
}

function classifyAnswer(
  result: Awaited<ReturnType<ReturnType<typeof partnerApi>["register"]>>,
): Answer {
  if (result.ok) return "acknowledged";
  const { applied, during, upstreamStatus = 0 } = result.fault;
  if (applied === "unknown") return "unclear";
  const isRefused = during === "register" && upstreamStatus >= 400 && upstreamStatus < 500;
  return isRefused ? "refused" : "none";
}

/**
 * Fetches until the service shows the desired state, at most three times within the deadline, and once more to confirm
 * an effect that it did not acknowledge; records the state of the save. A failed fetch proves nothing, and does not
 * undo what an earlier one proved.
 */
async function readBack(
  run: SaveRun,
  sent: SaveRecord,
  fault: Fault | null,
  before: LastKnown,
): Promise<SaveResult> {
  const { connectionRef, lease, deadline, context } = run;
  run.progress.step = "reading_back";
  const reasonOf = (outcome: SaveOutcome) => reasonFor(outcome, fault);
  let own = sent;
  let last: Extract<RemoteFetch, { ok: true }> | null = null;
  // Earlier saves may take effect only now. Unless one was followed when this save took the lock, there are none.
  const followed = before.isFollowed ? await followedSaves(connectionRef.connection) : [];
  const saves = followed.filter(({ id }) => id !== own.id);
  // Changes are compared with the stored state, which a reader may have updated meanwhile.
  let known = before;
  const certain = own.answers?.every(({ answer }) => answer === "none" || answer === "refused");
  const { fetchAgainAfterMs, confirmMs, minFetchMs } = saveTimings;
  const waits = certain ? fetchAgainAfterMs.slice(0, 1) : [...fetchAgainAfterMs];
  for (let wait = waits.shift(); wait !== undefined; wait = waits.shift()) {
    if (deadline.remainingMs < wait + minFetchMs) break;
    await pause(wait);
    if (last) known = await loadLastKnown(db(), connectionRef);
    const { requestId } = context;
    const options = { requestId, timeoutMs: deadline.remainingMs, ofSave: true } as const;
    const fetched = await fetchRemoteState(connectionRef, known, options);
    if (!fetched.ok) continue;
    last = fetched;
    const { resolutions } = interpret({
      connectionRef,
      known,
      fetched,
      saves,
      own: { save: own, reasonOf },
    });
    const results = resolutions.at(-1)?.results ?? [];
    if (!isOpen(results)) break;
    own = { ...own, results: results.filter(isSeen) };
    if (results.every((result) => !result.open || isSeen(result))) waits.splice(0, 3, confirmMs);
  }
  if (!last) return describeUnread(run, own, reasonOf, fault);
  for (;;) {
    const given = {
      connectionRef,
      known,
      fetched: last,
      saves,
      lease,
      own: { save: own, reasonOf },
    };
    const confirmed = await confirmFetch(given);
    if (confirmed?.own)
      return describeSave(run, own, confirmed.own, knownAfter(known, confirmed), fault, true);
    known = await loadLastKnown(db(), connectionRef);
  }
}

async function describeUnread(
  run: SaveRun,
  own: SaveRecord,
  reasonOf: (outcome: SaveOutcome) => ProblemCode | null,
  fault: Fault | null,
): Promise<SaveResult> {
  const results = unconfirmedResults(own);
  const { outcome } = saveStatusOf(results, null);
  return describeSave(run, own, saveStatusOf(results, reasonOf(outcome)), null, fault);
}
