import "server-only";
import { requirePartner, type PartnerAccess } from "@/lib/platform/access/require";
import { requireStill } from "@/lib/platform/access/recheck-role";
import { LeaseLost, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import { log } from "@/lib/platform/log/log";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { noteFault } from "@/lib/partners/server/list/overview";
import { ProblemError, type ProblemCode } from "@/lib/platform/http/model/problem";
import { Secret } from "@/lib/platform/runtime/secret";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { SaveOutcome, SaveResult, WaitingResult } from "@/lib/webhooks/model/configuration";
import {
  confirmWithLock,
  confirmFetch,
  changesNothing,
  interpret,
  type ConfirmedFetch,
} from "@/lib/webhooks/server/read/confirm";
import { loadLastKnown, type LastKnown } from "@/lib/webhooks/server/read/last-known";
import { lockConnection } from "./connection-lock";
import { deadlineIn, type Deadline } from "./deadline";
import { problemInitOf, staleReasonOf } from "./fault-problem";
import {
  fetchRemoteState,
  type RemoteFetch,
  type Place,
  fingerprintOrNull,
  revisionOf,
  type RemoteState,
  versionOf,
} from "@/lib/webhooks/server/read/remote-state";
import { answerOf, resultOf } from "./operation";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import {
  callsFor,
  changes,
  problemOfKeeping,
  planOf,
  type FetchedState,
  type DesiredChange,
} from "./plan";
import { present } from "@/lib/webhooks/server/read/present";
import {
  proposalFields,
  claim,
  isAsSigned,
  isOnBasis,
  openApproval,
  type Approval,
} from "@/lib/webhooks/server/proposals/approval";
import { needsSecondPerson, propose } from "@/lib/webhooks/server/proposals/propose";
import type { SignedApproval } from "@/lib/history/model/entry";
import { placeOf } from "@/lib/webhooks/server/read/read";
import { isOpen, unseen, type Answer } from "@/lib/webhooks/server/read/reconcile";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  findOperation,
  followedSaves,
  markSent,
  recordIntent,
  recordSaveStatus,
  saveStatusOf,
  type Intent,
  type SaveRecord,
  type SaveStatus,
} from "./save-record";
import { find, type WebhookVersions } from "@/lib/webhooks/model/webhook-version";
import { typesOf, webhookTypes, type WebhookType } from "@/lib/webhooks/model/types";

/** All of a save, waiting for another one included, is answered within this, whatever the database does. */
const answerMs = 9_900;
/** What its steps share. */
const saveMs = 9_500;
const waitForOtherSaveMs = 4_000;
const firstFetchMs = 4_000;
/** Kept back from the write, so that its outcome can still be read. */
const readBackMs = 3_000;
/** A write is not begun with less. */
const leastWriteMs = 1_000;
/** When each look at the outcome begins, after the one before: a service may need a moment to show what it took. */
const fetchAgainAfterMs = [0, 600, 1_800];
/** Less than this is no time for an answer. */
const leastFetchMs = 200;

/** Where a save came from; goes into the history. */
export type SaveContext = { requestId: string; clientAddress: string | null };

/** One save while it holds the lock. */
type SaveRun = {
  access: PartnerAccess;
  place: Place;
  lease: Lease;
  request: Omit<SaveRequest, "revision" | "operation">;
  operation: string;
  context: SaveContext;
  deadline: Deadline;
  /** Whose proposal it carries out; null for what a person does on their own. */
  approval: Approval | null;
  /** What whoever waits for the answer must know when it does not come in time. */
  progress: { mayHaveLeft: boolean; givenUp: boolean };
};

/**
 * Makes the request true at the payment service, or says truthfully how far that went.
 * Steps, each durable before the next: one save at a time, look, compare revisions, record the intent, send, read back,
 * record how it stands. Returns `saved`, `unchanged` and `accepted`; every other end is thrown as a problem that carries
 * the same members. Besides: `stale_revision` and `confirmation_required` (409), `invalid_fields` (422), faults of the
 * service. An operation that was received before is not done again: its answer is repeated.
 * Where it takes a second person, nothing is sent and it is written down instead: `waiting`, or `proposal_pending` (409)
 * where somebody else's change waits that this person was not shown.
 */
export async function saveConfiguration(
  partnerId: string,
  environmentName: string,
  request: SaveRequest,
  context: SaveContext,
): Promise<SaveResult | WaitingResult> {
  const access = await requirePartner(partnerId, "webhooks.write");
  return saveAs(access, environmentName, request, context);
}

/** The same for whoever was asked for `webhooks.write` already. */
export async function saveAs(
  access: PartnerAccess,
  environmentName: string,
  request: SaveRequest,
  context: SaveContext,
): Promise<SaveResult | WaitingResult> {
  const operation = request.operation ?? randomUUID();
  return holdingConnection(access, environmentName, operation, context, async (held) => {
    if (request.operation !== undefined) {
      const answered = await answerOf(held.place, request.operation, request);
      if (answered) return resultOrThrow(answered, null);
    }
    return save({ access, request, operation, context, approval: null, ...held });
  });
}

/**
 * Approves a proposal and makes it true, in the same steps: whoever approves is who saves. The caller has asked for
 * `webhooks.approve`. Throws what `decideProposal` says.
 */
export async function approve(
  access: PartnerAccess,
  environmentName: string,
  proposalId: string,
  context: SaveContext,
  signed: SignedApproval | null,
): Promise<SaveResult> {
  const operation = randomUUID();
  return holdingConnection(access, environmentName, operation, context, async (held) => {
    const approval = await openApproval(held.place, proposalId, access.viewer.id, signed);
    const { request } = approval;
    const run: SaveRun = { access, request, operation, context, approval, ...held };
    return applyApproved({ ...run, approval }, await fetchBeforeSave(run));
  });
}

type Held = Pick<SaveRun, "place" | "lease" | "deadline" | "progress">;

/** One save at a time, and an answer in time. */
async function holdingConnection<Result>(
  access: PartnerAccess,
  environmentName: string,
  operation: string,
  { requestId }: SaveContext,
  work: (held: Held) => Promise<Result>,
): Promise<Result> {
  const deadline = deadlineIn(saveMs);
  const progress = { mayHaveLeft: false, givenUp: false };
  const done = hold();
  const late = new AbortController();
  const tooLate = pause(answerMs, undefined, { signal: late.signal }).then(() => {
    progress.givenUp = true;
    // Its end goes into the history, for whoever asks later.
    done.catch((err: unknown) => log.warn({ err, requestId }, "a save ended after its answer"));
    throw outOfTime(progress.mayHaveLeft, operation, requestId);
  });
  try {
    return await Promise.race([done, tooLate]);
  } finally {
    late.abort();
    tooLate.catch(() => undefined);
  }

  async function hold(): Promise<Result> {
    const { connection } = await placeOf(access.partner.id, environmentName);
    const lease = await lockConnection(connection.id, waitForOtherSaveMs);
    if (!lease) {
      // The one that goes on may be this very press, sent again.
      if (await findOperation(connection.id, operation))
        throw outOfTime(true, operation, requestId);
      throw new ProblemError("save_in_progress", { applied: "no", retryable: true });
    }
    try {
      // Only now: the credentials may have been replaced while this waited, but not while it holds the lock.
      const place = await placeOf(access.partner.id, environmentName);
      return await work({ place, lease, deadline, progress });
    } finally {
      // What became of the save is known by now; a lock that is not given back ends by itself.
      await lease
        .release()
        .catch((err: unknown) => log.warn({ err, requestId }, "a lock was kept"));
    }
  }
}

function outOfTime(mayHaveLeft: boolean, operation: string, requestId: string): ProblemError {
  const outcome = mayHaveLeft ? "unknown" : "not_saved";
  const result = { outcome, results: [], configuration: null, requestId, operation } as const;
  return saveProblem({ ...result, results: [], open: mayHaveLeft }, null);
}

/** What the service holds as the save begins. */
type FetchedForSave = FetchedState & { known: LastKnown; versions: WebhookVersions };

async function fetchBeforeSave(run: SaveRun): Promise<FetchedForSave> {
  const { place, context, request, lease } = run;
  let known = await loadLastKnown(db(), place);
  const saves = await followedSaves(place.connection);
  const types = typesOf(request.type);
  for (const wait of fetchAgainAfterMs) {
    await pause(wait);
    const options = { requestId: context.requestId, timeoutMs: firstFetchMs };
    const fetched = await fetchRemoteState(place, known, options);
    if (!fetched.ok) return refuseUnreachable(run, known, fetched.fault);
    const given = { place, known, fetched, saves, lease, replacing: types };
    const findings = interpret(given);
    const last = wait === fetchAgainAfterMs.at(-1);
    // An older state again: perhaps from a copy of the service's that lags. It is worth another look.
    if (types.some((type) => findings.content.returned?.[type]) && !last) continue;
    if (!changesNothing(findings) || !known.confirmed)
      known = knownAfter(known, await confirmWithLock(given));
    else known = { ...known, fidelity: findings.fidelity };
    const { remote, values } = fetched;
    const { fidelity } = known;
    return { remote, values, fidelity, known, versions: versionsOf(remote, known) };
  }
  throw new Error("a save looked, and did not see");
}

function knownAfter(known: LastKnown, { confirmed, fidelity }: ConfirmedFetch): LastKnown {
  return { ...known, confirmed, fidelity, epoch: confirmed.epoch };
}

function versionsOf(remote: RemoteState, { fidelity }: LastKnown): WebhookVersions {
  return webhookTypes.map((type) => ({ type, state: versionOf(remote.webhooks[type], fidelity) }));
}

async function save(
  run: SaveRun & { request: SaveRequest; approval: null },
): Promise<SaveResult | WaitingResult> {
  const { place, request } = run;
  const fetched = await fetchBeforeSave(run);
  const revision = await revisionOf(db(), place, fetched.remote);
  if (revision !== request.revision) return refuseStale(run, fetched, "stale_revision");
  await requireAllowed(run, fetched);
  const plan = await planFor(run, fetched);
  const desired = desiredIn(run, plan);
  if (await needsSecondPerson(place, desired, fetched.remote)) return wait(run, fetched, desired);
  return apply(run, fetched, plan);
}

/** The same for what somebody else proposed. */
async function applyApproved(
  run: SaveRun & { approval: Approval },
  fetched: FetchedForSave,
): Promise<SaveResult> {
  if (!isOnBasis(run.approval, fetched.versions))
    return refuseStale(run, fetched, "proposal_stale");
  await requireAllowed(run, fetched);
  const plan = await planFor(run, fetched);
  const intent = {
    before: plan.map(({ type, before }) => ({ type, state: before })),
    desired: plan.map(({ type, desired }) => ({ type, state: desired })),
  };
  if (!isAsSigned(run.approval, intent)) return refuseStale(run, fetched, "proposal_stale");
  return apply(run, fetched, plan);
}

/** What neither the service's answer nor the rules about an Authorization value that is kept stand against. */
async function requireAllowed(run: SaveRun, fetched: FetchedForSave): Promise<void> {
  const { request, approval, access } = run;
  requireClear(request, fetched.remote);
  const isAdmin = approval ? approval.authorIsAdmin : access.role === "admin";
  const keeping = problemOfKeeping(request, fetched, isAdmin);
  if (!keeping) return;
  // Whoever tried to have a value sent elsewhere is worth knowing: the form would not have sent this.
  const isMove = keeping.code === "retype_for_new_origin";
  await recordRefused(run, fetched.versions, isMove ? "forbidden" : "invalid_fields");
  if (approval)
    throw new ProblemError(isMove ? "author_may_not" : "proposal_stale", { applied: "no" });
  const errors = [{ ...keeping, message: fieldErrorTitles[keeping.code] }];
  throw new ProblemError("invalid_fields", { applied: "no", errors });
}

async function planFor(
  { place, request }: SaveRun,
  fetched: FetchedState,
): Promise<DesiredChange[]> {
  const { authorization } = request;
  if (authorization.action !== "replace") return planOf(request, fetched, null);
  const value = new Secret(authorization.value);
  const fingerprint = (await fingerprintOrNull(db(), place.partnerId, value)) ?? "";
  return planOf(request, fetched, { value, fingerprint });
}

/** From the intent on: sends what has to change, and tells by looking again what became of it. */
async function apply(
  run: SaveRun,
  fetched: FetchedForSave,
  plan: readonly DesiredChange[],
): Promise<SaveResult> {
  const { lease } = run;
  const record = await recordIntent(intentOf(run, plan), lease, async (trx) => {
    await requireStill(trx, run.access);
    const { approval, context } = run;
    if (approval) await claim(trx, approval, actorOf(run), context.requestId);
  });
  // A type that seems to be as desired, but from an older copy of the service's, is written all the same.
  const isOlder = (type: WebhookType) => fetched.known.confirmed?.returned?.[type] !== undefined;
  const changing = plan.filter((each) => changes(each) || isOlder(each.type));
  if (changing.length === 0) {
    const results = record.desired.map(
      ({ type }) => ({ type, outcome: "unchanged", open: false }) as const,
    );
    return describeSave(run, record, saveStatusOf(results, null), fetched.known);
  }

  if (run.progress.givenUp) throw notSent(record);
  const sent = await markSent(record, lease);
  if (!sent) throw notSent(record);
  const { answers, fault } = await send(run, changing);
  const own = { ...sent, answers };
  return readBack(run, own, fault, fetched.known).catch((error: unknown) => {
    if (!(error instanceof LeaseLost)) throw error;
    // Somebody else holds the lock by now, and says in the history how it stands.
    throw outOfTime(true, run.operation, run.context.requestId);
  });
}

/** The intent's own words for what each type was and is to become. */
function intentOf(
  run: SaveRun,
  plan: readonly Pick<DesiredChange, "type" | "before" | "desired">[],
): Intent {
  const { place, context, operation, approval } = run;
  return {
    partnerId: place.partnerId,
    environment: place.environment,
    connection: place.connection,
    operation,
    requestId: context.requestId,
    actor: actorOf(run),
    ...proposalFields(approval),
    before: plan.map(({ type, before }) => ({ type, state: before })),
    desired: desiredIn(run, plan),
  };
}

function desiredIn(
  { request }: SaveRun,
  plan: readonly Pick<DesiredChange, "type" | "desired">[],
): WebhookVersions {
  const typed = request.authorization.action === "replace";
  return plan.map(({ type, desired }) => ({ type, state: desired, ...(typed && { typed }) }));
}

function actorOf({ access: { viewer }, context }: SaveRun) {
  return { id: viewer.id, name: viewer.name, clientAddress: context.clientAddress };
}

/** This process stood still until its lock was over; whoever came next has recorded that nothing was sent. */
function notSent({ desired, requestId, operation }: SaveRecord): ProblemError {
  const results = desired.map(({ type }) => ({ type, outcome: "not_saved" as const }));
  const result = { outcome: "not_saved", results, configuration: null } as const;
  return saveProblem({ ...result, requestId, operation: operation ?? "" }, null);
}

/** Writes it down for a second person to approve. */
async function wait(
  run: SaveRun & { request: SaveRequest },
  { versions, known }: FetchedForSave,
  desired: WebhookVersions,
): Promise<WaitingResult> {
  const { access, request, operation, lease } = run;
  const { environment } = run.place;
  const { requestId } = run.context;
  const basis = typesOf(request.type).map((type) => ({ type, state: find(versions, type) }));
  const actor = actorOf(run);
  const press = { access, environment, request, operation, lease, actor, requestId };
  const made = await propose({ ...press, basis, desired });
  const configuration = await present(run.place, known);
  if (made === "pending")
    throw new ProblemError("proposal_pending", { applied: "no", extra: { configuration } });
  const { id } = made;
  return { outcome: "waiting", results: [], proposal: id, configuration, requestId, operation };
}

/** What the service answered could be read in two ways; a person has to say that the write is meant. */
function requireClear(request: SaveRun["request"], remote: RemoteState): void {
  if (request.confirm) return;
  const duplicate = Object.values(remote.webhooks).some((webhook) => webhook.duplicate);
  const reason = remote.unclear ? "unclear_not_found" : duplicate ? "duplicate" : null;
  if (reason) throw new ProblemError("confirmation_required", { applied: "no", extra: { reason } });
}

/** Sends what has to change, and stops at the first call that fails: nothing is sent twice. */
async function send(
  { place, context, deadline, progress }: SaveRun,
  desired: readonly DesiredChange[],
) {
  const answers = desired.map(({ type }) => ({ type, answer: "none" as Answer }));
  for (const call of callsFor(desired)) {
    const timeoutMs = Math.max(leastWriteMs, deadline.remaining() - readBackMs);
    progress.mayHaveLeft = true;
    const result = await partnerApi().register(place.connection, call, {
      requestId: context.requestId,
      timeoutMs,
      notAfter: deadline.endsAt - leastWriteMs,
    });
    const answer = answerIn(result);
    for (const entry of answers)
      if (call.type === null || call.type === entry.type) entry.answer = answer;
    if (!result.ok) return { answers, fault: result.fault };
  }
  return { answers, fault: null };
}

function answerIn(result: Awaited<ReturnType<ReturnType<typeof partnerApi>["register"]>>): Answer {
  if (result.ok) return "acknowledged";
  const { applied, during, upstreamStatus = 0 } = result.fault;
  if (applied === "unknown") return "unclear";
  const isRefused = during === "register" && upstreamStatus >= 400 && upstreamStatus < 500;
  return isRefused ? "refused" : "none";
}

/**
 * Looks until the service shows what is desired, at most three times within the deadline, and records how the save stands. A
 * look that failed says nothing; what an earlier one saw after the write still does.
 */
async function readBack(
  run: SaveRun,
  own: SaveRecord,
  fault: Fault | null,
  before: LastKnown,
): Promise<SaveResult> {
  const { place, lease, deadline, context } = run;
  const reasonOf = (outcome: SaveOutcome) => reasonFor(outcome, fault);
  let last: Extract<RemoteFetch, { ok: true }> | null = null;
  // An earlier save may show up only now.
  const saves = (await followedSaves(place.connection)).filter(({ id }) => id !== own.id);
  // Its transitions are judged against what is stored, which a reader may have renewed meanwhile.
  let known = before;
  const certain = own.answers?.every(({ answer }) => answer === "none" || answer === "refused");
  for (const wait of certain ? fetchAgainAfterMs.slice(0, 1) : fetchAgainAfterMs) {
    if (deadline.remaining() < wait + leastFetchMs) break;
    await pause(wait);
    if (last) known = await loadLastKnown(db(), place);
    const options = { requestId: context.requestId, timeoutMs: deadline.remaining() };
    const fetched = await fetchRemoteState(place, known, options);
    if (!fetched.ok) continue;
    last = fetched;
    const { resolutions } = interpret({
      place,
      known,
      fetched,
      saves,
      own: { save: own, reasonOf },
    });
    if (!resolutions.some(({ save, results }) => save === own && isOpen(results))) break;
  }
  if (!last) return describeUnseen(run, own, reasonOf, fault);
  for (;;) {
    const given = { place, known, fetched: last, saves, lease, own: { save: own, reasonOf } };
    const confirmed = await confirmFetch(given);
    if (confirmed?.own)
      return describeSave(run, own, confirmed.own, knownAfter(known, confirmed), fault, true);
    known = await loadLastKnown(db(), place);
  }
}

async function describeUnseen(
  run: SaveRun,
  own: SaveRecord,
  reasonOf: (outcome: SaveOutcome) => ProblemCode | null,
  fault: Fault | null,
): Promise<SaveResult> {
  const results = unseen(own);
  const { outcome } = saveStatusOf(results, null);
  return describeSave(run, own, saveStatusOf(results, reasonOf(outcome)), null, fault);
}

/** Records how a save stands, unless that was done with the look that told it, and says it to whoever saved. */
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
      .execute((trx) => recordSaveStatus(trx, record, status));
  const configuration = known && (await present(run.place, known));
  const { requestId } = run.context;
  return resultOrThrow(
    resultOf(status, { configuration, requestId, operation: run.operation }),
    fault,
  );
}

function resultOrThrow<Result extends SaveResult | WaitingResult>(
  result: Result,
  fault: Fault | null,
): Result {
  const isAnswer = ["saved", "unchanged", "accepted", "waiting"].includes(result.outcome);
  if (isAnswer || result.outcome === "waiting") return result;
  throw saveProblem(result, fault);
}

/** Why a save did not simply succeed, for the history and the answer alike; null where it did, or may yet. */
function reasonFor(outcome: SaveOutcome, fault: Fault | null): ProblemCode | null {
  // The service has what was asked for, in spite of what it answered.
  if (outcome === "saved") return fault?.code ?? null;
  if (outcome === "not_saved") return fault?.code ?? "not_saved";
  if (outcome === "partial") return "partly_saved";
  return outcome === "unknown" ? "outcome_unknown" : null;
}

/** A save that did not simply succeed: a problem with the members of a save's answer. */
function saveProblem(result: SaveResult, fault: Fault | null): ProblemError {
  const { outcome, results, configuration, operation, open } = result;
  const init = fault ? problemInitOf(fault) : {};
  const members = { outcome, results, configuration, operation, ...(open && { open }) };
  return new ProblemError(reasonFor(outcome, fault) ?? "not_saved", {
    ...init,
    // Only what surely changed nothing may be tried again without looking first.
    retryable: outcome === "not_saved" && (fault?.retryable ?? true),
    applied: outcome === "not_saved" ? "no" : "unknown",
    extra: { ...init.extra, ...(fault && { cause: fault.code }), ...members },
  });
}

/** The service could not be asked, so nothing was sent. */
async function refuseUnreachable(run: SaveRun, known: LastKnown, fault: Fault): Promise<never> {
  const { requestId } = run.context;
  await noteFault(run.place, { code: fault.code, requestId, epoch: known.epoch });
  const versions = known.confirmed ? versionsOf(known.confirmed.remote, known) : [];
  const results = await recordRefused(run, versions, fault.code);
  const staleReason = staleReasonOf(fault, requestId);
  const configuration = known.confirmed && (await present(run.place, known, staleReason));
  const { operation } = run;
  throw saveProblem({ outcome: "not_saved", results, configuration, requestId, operation }, fault);
}

/** Somebody else saved since the form was opened, or since it was proposed. */
async function refuseStale(
  run: SaveRun,
  { versions, known }: FetchedForSave,
  code: "stale_revision" | "proposal_stale",
): Promise<never> {
  await recordRefused(run, versions, code);
  const configuration = await present(run.place, known);
  throw new ProblemError(code, { applied: "no", extra: { configuration } });
}

/** An attempt of which nothing was sent, recorded as such. What "keep" would have kept is what was last confirmed. */
async function recordRefused(run: SaveRun, fetched: WebhookVersions, reason: ProblemCode) {
  const { request, place, lease } = run;
  const { authorization, url } = request;
  const typed = authorization.action === "replace" ? new Secret(authorization.value) : null;
  const fingerprint = await fingerprintOrNull(db(), place.partnerId, typed);
  const versions = typesOf(request.type).map((type) => {
    const before = find(fetched, type);
    const kept = authorization.action === "keep" ? (before?.fingerprint ?? null) : fingerprint;
    return { type, before, desired: { callbackUrl: url, fingerprint: kept } };
  });
  const record = await recordIntent(intentOf(run, versions), lease);
  const results = versions.map(
    ({ type }) => ({ type, outcome: "not_saved", open: false }) as const,
  );
  await db()
    .transaction()
    .execute((trx) => recordSaveStatus(trx, record, saveStatusOf([...results], reason)));
  return results.map(({ type, outcome }) => ({ type, outcome }));
}
