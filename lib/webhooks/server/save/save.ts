import "server-only";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { actorOf } from "@/lib/history/server/record/record";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { isLeaseLost } from "@/lib/platform/database/lease";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { db } from "@/lib/platform/database/open";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import { log } from "@/lib/platform/log/log";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { Deadline } from "@/lib/platform/runtime/deadline";
import { Secret } from "@/lib/platform/runtime/secret";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { SaveResult, WaitingResult } from "@/lib/webhooks/model/configuration";
import { confirmWithLock, changesNothing, interpret } from "@/lib/webhooks/server/read/confirm";
import { loadLastKnown } from "@/lib/webhooks/server/read/last-known";
import { lockConnection } from "./connection-lock";
import {
  fetchRemoteState,
  fingerprintOrNull,
  revisionOf,
  type RemoteState,
  versionsOf,
} from "@/lib/webhooks/server/read/remote-state";
import { isRecorded, repeatedAnswer, showProgress } from "./operation";
import { keepRefusal, planOf, type FetchedState, type DesiredChange } from "./plan";
import { present } from "@/lib/webhooks/server/read/present";
import {
  isOnBasis,
  needsSecondPerson,
  openApproval,
  proposeSave,
  type Approval,
} from "@/lib/webhooks/server/proposals/webhook-proposals";
import { requireConnectionRef } from "@/lib/webhooks/server/read/read";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { desiredIn, followedSaves } from "./save-record";
import { find, type WebhookVersions } from "@/lib/webhooks/model/webhook-version";
import { typesOf } from "@/lib/platform/payment-service/contract/terms";
import {
  applySave,
  type FetchedForSave,
  type SaveProgress,
  type SaveRun,
  knownAfter,
  outOfTime,
  recordRefused,
  refuseStale,
  refuseUnreachable,
  requireInTime,
  resultOrThrow,
} from "./apply";

/**
 * Applies the request at the payment service, or reports how far it got. Steps, each durable before the next: one save
 * at a time, fetch the remote state, compare revisions, record the intent, send, read back, record the outcome. Returns
 * `saved`, `unchanged` and `accepted`; throws every other outcome as a problem with the same members. Also throws
 * `stale_revision` and `confirmation_required` (409), `invalid_fields` (422), faults of the service. Repeats the answer
 * of an operation that was received before. Where it takes a second person, sends nothing and stores a proposal:
 * `waiting`, or `proposal_pending` (409) where another person's change waits that this person had not seen.
 */
export async function saveConfiguration(
  access: PartnerAccess<"webhooks.write">,
  environmentName: string,
  request: SaveRequest,
  context: RequestContext,
): Promise<SaveResult | WaitingResult> {
  const operation = request.operation ?? randomUUID();
  const press = { operation, isApproval: false };
  return holdingConnection(access, environmentName, press, context, async (held) => {
    if (request.operation !== undefined) {
      const { id } = access.viewer;
      const answered = await repeatedAnswer(held.connectionRef, request.operation, request, id);
      if (answered) return resultOrThrow(answered, null);
    }
    return save({ access, request, operation, context, approval: null, ...held });
  });
}

/**
 * Approves a proposal and applies it in the same steps; the approver is the one who saves. Throws what
 * `decideProposal` throws.
 */
export async function approve(
  access: PartnerAccess<"webhooks.approve">,
  environmentName: string,
  proposalId: string,
  context: RequestContext,
): Promise<SaveResult | WaitingResult> {
  const operation = proposalId;
  const press = { operation, isApproval: true };
  return holdingConnection(access, environmentName, press, context, async (held) => {
    const approval = await openApproval(held.connectionRef, proposalId, access.viewer.id);
    const { request } = approval;
    const run: SaveRun = { access, request, operation, context, approval, ...held };
    return applyApproved({ ...run, approval }, await fetchBeforeSave(run));
  });
}

type Held = Pick<SaveRun, "connectionRef" | "lease" | "deadline" | "progress">;

/** One save at a time, and an answer in time. */
async function holdingConnection(
  access: PartnerAccess,
  environment: string,
  { operation, isApproval }: { operation: string; isApproval: boolean },
  { requestId, arrivedAt = performance.now() }: RequestContext,
  work: (held: Held) => Promise<SaveResult | WaitingResult>,
): Promise<SaveResult | WaitingResult> {
  const spentMs = performance.now() - arrivedAt;
  const deadline = new Deadline({ ms: saveTimings.saveMs - spentMs });
  const answer = new Deadline({ ms: saveTimings.answerMs - spentMs });
  const progress: SaveProgress = {
    step: "preparing",
    mayTakeEffect: false,
    recorded: null,
    givenUp: false,
  };
  const over = showProgress({ partner: access.partner.id, environment, operation }, progress);
  const done = hold().finally(() => {
    deadline.end();
    over();
  });
  const ended = await answer.race(done).finally(() => answer.end());
  if (ended.inTime) return ended.value;
  progress.givenUp = true;
  // What it still does is recorded, for anybody who checks later.
  done.catch((err: unknown) => log.warn({ err, requestId }, "a save ended after its answer"));
  const { recorded, mayTakeEffect } = progress;
  if (recorded) return answerOf(recorded);
  throw outOfTime(mayTakeEffect, operation, requestId);

  async function hold(): Promise<SaveResult | WaitingResult> {
    const ref = await requireConnectionRef(access, environment);
    const lease = await lockConnection(ref.connection.id, saveTimings.waitForOtherSaveMs);
    if (!lease) {
      // The save in progress may be this same request, sent twice.
      if (await isRecorded(ref, operation, isApproval)) throw outOfTime(true, operation, requestId);
      throw new ProblemError("save_in_progress", { applied: "no", retryable: true });
    }
    try {
      // Read only now: the credentials may have been replaced while this waited for the lock, but not while it holds it.
      const connectionRef = await requireConnectionRef(access, environment);
      return await work({ connectionRef, lease, deadline, progress });
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        if (progress.recorded) return answerOf(progress.recorded);
        // A recorded intent alone was not sent.
        error.applied = progress.mayTakeEffect ? "unknown" : "no";
      }
      if (!isLeaseLost(error)) throw error;
      // Another process holds the lock by now, and records the outcome of the save.
      throw outOfTime(progress.mayTakeEffect, operation, requestId);
    } finally {
      // The outcome is known by now, and a lock that is not released expires.
      await lease
        .release()
        .catch((err: unknown) => log.warn({ err, requestId }, "a lock could not be released"));
    }
  }
}

function answerOf({ result, fault }: NonNullable<SaveProgress["recorded"]>) {
  return resultOrThrow(result, fault);
}

async function fetchBeforeSave(run: SaveRun): Promise<FetchedForSave> {
  const { connectionRef, context, request, lease } = run;
  let known = await loadLastKnown(db(), connectionRef);
  // Nobody else can begin one while this save holds the lock.
  const saves = known.isFollowed ? await followedSaves(connectionRef.connection) : [];
  const types = typesOf(request.type);
  for (const wait of saveTimings.fetchAgainAfterMs) {
    await pause(wait);
    const { requestId } = context;
    const options = { requestId, timeoutMs: saveTimings.firstFetchMs, ofSave: true } as const;
    const fetched = await fetchRemoteState(connectionRef, known, options);
    if (!fetched.ok) return refuseUnreachable(run, known, fetched.fault);
    const given = { connectionRef, known, fetched, saves, lease };
    const findings = interpret(given);
    const isLastFetch = wait === saveTimings.fetchAgainAfterMs.at(-1);
    // An older state, perhaps from a lagging replica of the service: fetch again.
    if (types.some((type) => findings.content.returned?.[type]) && !isLastFetch) continue;
    if (!changesNothing(findings, known)) known = knownAfter(known, await confirmWithLock(given));
    const { remote, values } = fetched;
    const last = known.confirmed ?? {};
    return { remote, values, last, saves, known, versions: versionsOf(remote) };
  }
  throw new Error("fetchBeforeSave ended without a result");
}

async function save(
  run: SaveRun & { request: SaveRequest; approval: null },
): Promise<SaveResult | WaitingResult> {
  const { connectionRef, request } = run;
  const fetched = await fetchBeforeSave(run);
  const revision = await revisionOf(db(), connectionRef, fetched.remote);
  if (revision !== request.revision) return refuseStale(run, fetched, "stale_revision");
  await requireAllowed(run, fetched);
  const plan = await planFor(run, fetched);
  if (await needsSecondPerson(db(), connectionRef, plan, fetched))
    return storeProposal(run, fetched, desiredIn(run, plan));
  return applySave(run, fetched, plan);
}

/** The same for another person's proposal. */
async function applyApproved(
  run: SaveRun & { approval: Approval },
  fetched: FetchedForSave,
): Promise<SaveResult> {
  if (!isOnBasis(run.approval, fetched.versions, run.connectionRef.connection))
    return refuseStale(run, fetched, "proposal_stale");
  await requireAllowed(run, fetched);
  return applySave(run, fetched, await planFor(run, fetched));
}

/** Throws where the service's answer or the rules for keeping an Authorization value forbid the change. */
async function requireAllowed(run: SaveRun, fetched: FetchedForSave): Promise<void> {
  const { request, approval, access } = run;
  requireClear(request, fetched.remote);
  const isAdmin = approval ? approval.authorIsAdmin : access.role === "admin";
  const keeping = keepRefusal(request, fetched, isAdmin);
  if (!keeping) return;
  // Recorded, since the form never sends this: somebody tried to send the value to another receiver.
  const isMove = keeping.code === "retype_for_new_origin";
  await recordRefused(run, fetched, isMove ? "forbidden" : "invalid_fields");
  if (approval)
    throw new ProblemError(isMove ? "author_may_not" : "proposal_stale", { applied: "no" });
  const errors = [{ ...keeping, message: fieldErrorTitles[keeping.code] }];
  throw new ProblemError("invalid_fields", { applied: "no", errors });
}

async function planFor(
  { connectionRef, request }: SaveRun,
  fetched: FetchedState,
): Promise<DesiredChange[]> {
  const { authorization } = request;
  if (authorization.action !== "replace") return planOf(request, fetched, null);
  const value = new Secret(authorization.value);
  const fingerprint = (await fingerprintOrNull(db(), connectionRef.partnerId, value)) ?? "";
  return planOf(request, fetched, { value, fingerprint });
}

/** Records the change as a proposal for a second person to approve. */
async function storeProposal(
  run: SaveRun & { request: SaveRequest },
  { versions, known }: FetchedForSave,
  desired: WebhookVersions,
): Promise<WaitingResult> {
  const { access, request, operation, lease } = run;
  const { requestId } = run.context;
  const basis = typesOf(request.type).map((type) => ({ type, state: find(versions, type) }));
  const actor = actorOf(run.access.viewer, run.context);
  const press = {
    access,
    connectionRef: run.connectionRef,
    request,
    operation,
    lease,
    actor,
    requestId,
  };
  const made = await proposeSave({ ...press, basis, desired }, () => {
    requireInTime(run);
    run.progress.mayTakeEffect = true;
  });
  const rest = { results: [], configuration: null, requestId, operation };
  if (made !== "pending")
    run.progress.recorded = {
      result: { outcome: "waiting", proposal: made.id, ...rest },
      fault: null,
    };
  const configuration = await present(run.connectionRef, known);
  if (made === "pending")
    throw new ProblemError("proposal_pending", { applied: "no", extra: { configuration } });
  return { outcome: "waiting", proposal: made.id, ...rest, configuration };
}

/** Throws where the service's answer is ambiguous, unless the person confirmed the write. */
function requireClear(request: SaveRun["request"], remote: RemoteState): void {
  if (request.confirm) return;
  const duplicate = Object.values(remote.webhooks).some((webhook) => webhook.duplicate);
  const reason = remote.unclear ? "unclear_not_found" : duplicate ? "duplicate" : null;
  if (reason) throw new ProblemError("confirmation_required", { applied: "no", extra: { reason } });
}
