import "server-only";
import { holdLease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { recordFault } from "@/lib/partners/server/list/overview";
import { ProblemError, type ProblemCode } from "@/lib/platform/http/model/problem";
import { Secret } from "@/lib/platform/runtime/secret";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { SaveOutcome, SaveResult, WaitingResult } from "@/lib/webhooks/model/configuration";
import type { LastKnown } from "@/lib/webhooks/server/read/last-known";
import { problemInitOf, staleReasonOf } from "./fault-problem";
import { fingerprintOrNull, versionsOf } from "@/lib/webhooks/server/read/remote-state";
import { resultOf } from "./operation";
import { present } from "@/lib/webhooks/server/read/present";
import {
  recordNotSent,
  recordSaveStatus,
  saveStatusOf,
  type SaveRecord,
  type SaveStatus,
} from "./save-record";
import { find } from "@/lib/webhooks/model/webhook-version";
import { typesOf } from "@/lib/webhooks/model/types";
import { type FetchedForSave, type SaveRun, intentOf } from "./run";

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
 * Before what would make "not saved" untrue, and as the last step of its transaction: throws that answer where it was
 * given already, or where too little time is left to learn what becomes of it.
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
  const result = resultOf(status, { configuration: null, requestId, operation: run.operation });
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
