import "server-only";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import type { PartnerAccess } from "@/lib/platform/access/require";
import type { Deadline } from "@/lib/platform/runtime/deadline";
import { holdLease, type Lease } from "@/lib/platform/database/lease";
import type { ConfirmedFetch } from "@/lib/webhooks/server/read/confirm";
import type { LastKnown } from "@/lib/webhooks/server/read/last-known";
import {
  type ConnectionRef,
  fingerprintOrNull,
  versionsOf,
} from "@/lib/webhooks/server/read/remote-state";
import type { FetchedState } from "./plan";
import type { Approval } from "@/lib/webhooks/server/proposals/webhook-proposals";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type {
  SaveResult,
  SaveStep,
  WaitingResult,
  SaveOutcome,
} from "@/lib/webhooks/model/configuration";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  intentOf,
  recordNotSent,
  recordSaveStatus,
  saveStatusOf,
  type SaveRecord,
  type SaveStatus,
} from "./save-record";
import { type WebhookVersions, find } from "@/lib/webhooks/model/webhook-version";
import { db } from "@/lib/platform/database/open";
import { recordFault } from "@/lib/partners/server/list/overview";
import { ProblemError, type ProblemCode } from "@/lib/platform/http/model/problem";
import { Secret } from "@/lib/platform/runtime/secret";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { problemInitOf, staleReasonOf, present } from "@/lib/webhooks/server/read/present";
import { resultOf } from "./operation";
import { typesOf } from "@/lib/webhooks/model/types";

/** One save while it holds the lock. */
export type SaveRun = {
  access: PartnerAccess;
  connectionRef: ConnectionRef;
  lease: Lease;
  request: Omit<SaveRequest, "revision" | "operation">;
  operation: string;
  context: RequestContext;
  /** Ten seconds for all steps together. Monotonic: a jump of the wall clock changes nothing. */
  deadline: Deadline;
  /** The approved proposal; null for a save that needs no approval. */
  approval: Approval | null;
  /** The state known so far: shown while the person waits, and answered when the save does not end in time. */
  progress: SaveProgress;
};

export type SaveProgress = {
  step: SaveStep;
  /** Sent or stored for approval, perhaps: it cannot be called not saved any more. */
  mayTakeEffect: boolean;
  /** What was recorded of it, without the configuration that is being read for the answer. */
  recorded: { result: SaveResult | WaitingResult; fault: Fault | null } | null;
  /** Its time was over, and it was answered with what was recorded, or as `mayTakeEffect` says. */
  givenUp: boolean;
};

/** What the service holds when the save begins. */
export type FetchedForSave = FetchedState & { known: LastKnown; versions: WebhookVersions };

export function knownAfter(known: LastKnown, { confirmed }: ConfirmedFetch): LastKnown {
  return { ...known, confirmed, epoch: confirmed.epoch };
}

/** The answer to a save that did not end in time. */
export function outOfTime(
  mayTakeEffect: boolean,
  operation: string,
  requestId: string,
): ProblemError {
  const outcome = mayTakeEffect ? "unknown" : "not_saved";
  const result = { outcome, results: [], configuration: null, requestId, operation } as const;
  return saveProblem({ ...result, results: [], open: mayTakeEffect }, null);
}

/**
 * Throws "not saved" where the person was told so already, or where too little time is left to learn what becomes of the
 * save. Call it before anything that cannot be undone, as the last step of the transaction.
 */
export function requireInTime(run: SaveRun, neededMs = saveTimings.minWriteMs): void {
  const { progress, deadline, operation, context } = run;
  if (progress.givenUp || deadline.remainingMs < neededMs)
    throw outOfTime(false, operation, context.requestId);
}

/** This process stalled until its lock expired; the next holder has recorded that nothing was sent. */
export function notSent({ desired, requestId, id: operation }: SaveRecord): ProblemError {
  const results = desired.map(({ type }) => ({ type, outcome: "not_saved" as const }));
  const result = { outcome: "not_saved", results, configuration: null } as const;
  return saveProblem({ ...result, requestId, operation }, null);
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
export function reasonFor(outcome: SaveOutcome, fault: Fault | null): ProblemCode | null {
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
    // Only what certainly changed nothing may be retried without checking first.
    retryable: outcome === "not_saved" && (fault?.retryable ?? true),
    applied: outcome === "not_saved" ? "no" : "unknown",
    extra: { ...init.extra, ...(fault && { cause: fault.code }), ...members },
  });
}

/**
 * Records the state of a save, unless `recorded` says that this was done with the fetch that proved it, and answers
 * with it. Throws `LeaseLost`: another process says how it ends.
 */
export async function describeSave(
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

/** Another save came after the form was opened, or after the proposal was made. */
export async function refuseStale(
  run: SaveRun,
  fetched: FetchedForSave,
  code: "stale_revision" | "proposal_stale",
): Promise<never> {
  await recordRefused(run, fetched, code);
  const configuration = await present(run.connectionRef, fetched.known);
  throw new ProblemError(code, { applied: "no", extra: { configuration } });
}

/** An unsent attempt, recorded as such. What "keep" would have kept is the last confirmed value. */
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
