import "server-only";
import { requirePartner, type PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
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
  confirmHolding,
  confirmLook,
  tellsNothing,
  weigh,
  type ConfirmedLook,
} from "@/lib/webhooks/server/read/confirm-look";
import { loadKnown, type Known } from "@/lib/webhooks/server/read/confirmed";
import { lockConnection } from "./connection-lock";
import { deadlineIn, type Deadline } from "./deadline";
import { problemInitOf, staleReasonOf } from "./fault-problem";
import { look, type Look, type Place } from "@/lib/webhooks/server/read/look";
import { answerOf, resultOf } from "./operation";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import { callsFor, changes, problemOfKeeping, wishesOf, type SeenState, type Wish } from "./plan";
import { present } from "@/lib/webhooks/server/read/present";
import {
  carriedOut,
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
  recordStanding,
  standingOf,
  type Intent,
  type SaveRecord,
  type Standing,
} from "./save-record";
import { fingerprintOrNull, revisionOf, type Snapshot } from "@/lib/webhooks/server/read/snapshot";
import { find, stateOf, type States } from "@/lib/webhooks/server/read/state";
import { typesOf, webhookTypes, type WebhookType } from "@/lib/webhooks/model/types";

/** All of a save, waiting for another one included, is answered within this, whatever the database does. */
const answerMs = 9_900;
/** What its steps share. */
const saveMs = 9_500;
const waitForOtherSaveMs = 4_000;
const firstLookMs = 4_000;
/** Kept back from the write, so that its outcome can still be read. */
const readBackMs = 3_000;
/** A write is not begun with less. */
const leastWriteMs = 1_000;
/** When each look at the outcome begins, after the one before: a service may need a moment to show what it took. */
const lookAgainAfterMs = [0, 600, 1_800];
/** Less than this is no time for an answer. */
const leastLookMs = 200;

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
export async function carryOut(
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
    return carryThrough({ ...run, approval }, await lookFirst(run));
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
type Seen = SeenState & { known: Known; states: States };

async function lookFirst(run: SaveRun): Promise<Seen> {
  const { place, context, request, lease } = run;
  let known = await loadKnown(db(), place);
  const saves = await followedSaves(place.connection);
  const types = typesOf(request.type);
  for (const wait of lookAgainAfterMs) {
    await pause(wait);
    const options = { requestId: context.requestId, timeoutMs: firstLookMs };
    const seen = await look(place, known, options);
    if (!seen.ok) return failedToLook(run, known, seen.fault);
    const given = { place, known, seen, saves, lease, replacing: types };
    const weighed = weigh(given);
    const last = wait === lookAgainAfterMs.at(-1);
    // An older state again: perhaps from a copy of the service's that lags. It is worth another look.
    if (types.some((type) => weighed.content.returned?.[type]) && !last) continue;
    if (!tellsNothing(weighed) || !known.confirmed)
      known = knownAfter(known, await confirmHolding(given));
    else known = { ...known, fidelity: weighed.fidelity };
    const { current, snapshot } = seen;
    const { fidelity } = known;
    return { current, snapshot, fidelity, known, states: statesOf(snapshot, known) };
  }
  throw new Error("a save looked, and did not see");
}

function knownAfter(known: Known, { confirmed, fidelity }: ConfirmedLook): Known {
  return { ...known, confirmed, fidelity, epoch: confirmed.epoch };
}

function statesOf(snapshot: Snapshot, { fidelity }: Known): States {
  return webhookTypes.map((type) => ({ type, state: stateOf(snapshot.webhooks[type], fidelity) }));
}

async function save(
  run: SaveRun & { request: SaveRequest; approval: null },
): Promise<SaveResult | WaitingResult> {
  const { place, request } = run;
  const seen = await lookFirst(run);
  const revision = await revisionOf(db(), place, seen.snapshot);
  if (revision !== request.revision) return wasStale(run, seen, "stale_revision");
  await requireAllowed(run, seen);
  const wishes = await wishesFor(run, seen);
  const wished = wishedIn(run, wishes);
  if (await needsSecondPerson(place, wished, seen.snapshot)) return wait(run, seen, wished);
  return apply(run, seen, wishes);
}

/** The same for what somebody else proposed. */
async function carryThrough(
  run: SaveRun & { approval: Approval },
  seen: Seen,
): Promise<SaveResult> {
  if (!isOnBasis(run.approval, seen.states)) return wasStale(run, seen, "proposal_stale");
  await requireAllowed(run, seen);
  const wishes = await wishesFor(run, seen);
  const intent = {
    before: wishes.map(({ type, before }) => ({ type, state: before })),
    wishes: wishes.map(({ type, wish }) => ({ type, state: wish })),
  };
  if (!isAsSigned(run.approval, intent)) return wasStale(run, seen, "proposal_stale");
  return apply(run, seen, wishes);
}

/** What neither the service's answer nor the rules about an Authorization value that is kept stand against. */
async function requireAllowed(run: SaveRun, seen: Seen): Promise<void> {
  const { request, approval, access } = run;
  requireClear(request, seen.snapshot);
  const isAdmin = approval ? approval.authorIsAdmin : access.role === "admin";
  const keeping = problemOfKeeping(request, seen, isAdmin);
  if (!keeping) return;
  // Whoever tried to have a value sent elsewhere is worth knowing: the form would not have sent this.
  const isMove = keeping.code === "retype_for_new_origin";
  await recordRefused(run, seen.states, isMove ? "forbidden" : "invalid_fields");
  if (approval)
    throw new ProblemError(isMove ? "author_may_not" : "proposal_stale", { applied: "no" });
  const errors = [{ ...keeping, message: fieldErrorTitles[keeping.code] }];
  throw new ProblemError("invalid_fields", { applied: "no", errors });
}

async function wishesFor({ place, request }: SaveRun, seen: SeenState): Promise<Wish[]> {
  const { authorization } = request;
  if (authorization.action !== "replace") return wishesOf(request, seen, null);
  const value = new Secret(authorization.value);
  const fingerprint = (await fingerprintOrNull(db(), place.partnerId, value)) ?? "";
  return wishesOf(request, seen, { value, fingerprint });
}

/** From the intent on: sends what has to change, and tells by looking again what became of it. */
async function apply(run: SaveRun, seen: Seen, wishes: readonly Wish[]): Promise<SaveResult> {
  const { lease } = run;
  const states = wishes.map(({ type, before, wish }) => ({ type, before, wish }));
  const record = await recordIntent(intentOf(run, states), lease, async (trx) => {
    await recheckRole(trx, run.access);
    const { approval, context } = run;
    if (approval) await claim(trx, approval, actorOf(run), context.requestId);
  });
  // A type that seems to be as wished, but from an older copy of the service's, is written all the same.
  const isOlder = (type: WebhookType) => seen.known.confirmed?.returned?.[type] !== undefined;
  const changing = wishes.filter((wish) => changes(wish) || isOlder(wish.type));
  if (changing.length === 0) {
    const results = record.wishes.map(
      ({ type }) => ({ type, outcome: "unchanged", open: false }) as const,
    );
    return told(run, record, standingOf(results, null), seen.known);
  }

  if (run.progress.givenUp) throw notSent(record);
  const sent = await markSent(record, lease);
  if (!sent) throw notSent(record);
  const { answers, fault } = await send(run, changing);
  const own = { ...sent, answers };
  return readBack(run, own, fault, seen.known).catch((error: unknown) => {
    if (!(error instanceof LeaseLost)) throw error;
    // Somebody else holds the lock by now, and says in the history how it stands.
    throw outOfTime(true, run.operation, run.context.requestId);
  });
}

/** The intent's own words for what each type was and is to become. */
function intentOf(run: SaveRun, states: readonly Pick<Wish, "type" | "before" | "wish">[]): Intent {
  const { place, context, operation, approval } = run;
  return {
    partnerId: place.partnerId,
    environment: place.environment,
    connection: place.connection,
    operation,
    requestId: context.requestId,
    actor: actorOf(run),
    ...carriedOut(approval),
    before: states.map(({ type, before }) => ({ type, state: before })),
    wishes: wishedIn(run, states),
  };
}

function wishedIn({ request }: SaveRun, wishes: readonly Pick<Wish, "type" | "wish">[]): States {
  const typed = request.authorization.action === "replace";
  return wishes.map(({ type, wish }) => ({ type, state: wish, ...(typed && { typed }) }));
}

function actorOf({ access: { viewer }, context }: SaveRun) {
  return { id: viewer.id, name: viewer.name, clientAddress: context.clientAddress };
}

/** This process stood still until its lock was over; whoever came next has recorded that nothing was sent. */
function notSent({ wishes, requestId, operation }: SaveRecord): ProblemError {
  const results = wishes.map(({ type }) => ({ type, outcome: "not_saved" as const }));
  const said = { outcome: "not_saved", results, configuration: null } as const;
  return saveProblem({ ...said, requestId, operation: operation ?? "" }, null);
}

/** Writes it down for a second person to approve. */
async function wait(
  run: SaveRun & { request: SaveRequest },
  { states, known }: Seen,
  wishes: States,
): Promise<WaitingResult> {
  const { access, request, operation, lease } = run;
  const { environment } = run.place;
  const { requestId } = run.context;
  const basis = typesOf(request.type).map((type) => ({ type, state: find(states, type) }));
  const actor = actorOf(run);
  const press = { access, environment, request, operation, lease, actor, requestId };
  const made = await propose({ ...press, basis, wishes });
  const configuration = await present(run.place, known);
  if (made === "pending")
    throw new ProblemError("proposal_pending", { applied: "no", extra: { configuration } });
  const { id } = made;
  return { outcome: "waiting", results: [], proposal: id, configuration, requestId, operation };
}

/** What the service answered could be read in two ways; a person has to say that the write is meant. */
function requireClear(request: SaveRun["request"], snapshot: Snapshot): void {
  if (request.confirm) return;
  const duplicate = Object.values(snapshot.webhooks).some((webhook) => webhook.duplicate);
  const reason = snapshot.unclear ? "unclear_not_found" : duplicate ? "duplicate" : null;
  if (reason) throw new ProblemError("confirmation_required", { applied: "no", extra: { reason } });
}

/** Sends what has to change, and stops at the first call that fails: nothing is sent twice. */
async function send({ place, context, deadline, progress }: SaveRun, wishes: readonly Wish[]) {
  const answers = wishes.map(({ type }) => ({ type, answer: "none" as Answer }));
  for (const call of callsFor(wishes)) {
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
 * Looks until the service shows the wish, at most three times within the deadline, and records how the save stands. A
 * look that failed says nothing; what an earlier one saw after the write still does.
 */
async function readBack(
  run: SaveRun,
  own: SaveRecord,
  fault: Fault | null,
  before: Known,
): Promise<SaveResult> {
  const { place, lease, deadline, context } = run;
  const reasonOf = (outcome: SaveOutcome) => reasonFor(outcome, fault);
  let last: Extract<Look, { ok: true }> | null = null;
  // An earlier save may show up only now.
  const saves = (await followedSaves(place.connection)).filter(({ id }) => id !== own.id);
  // Its transitions are judged against what is stored, which a reader may have renewed meanwhile.
  let known = before;
  const certain = own.answers?.every(({ answer }) => answer === "none" || answer === "refused");
  for (const wait of certain ? lookAgainAfterMs.slice(0, 1) : lookAgainAfterMs) {
    if (deadline.remaining() < wait + leastLookMs) break;
    await pause(wait);
    if (last) known = await loadKnown(db(), place);
    const options = { requestId: context.requestId, timeoutMs: deadline.remaining() };
    const seen = await look(place, known, options);
    if (!seen.ok) continue;
    last = seen;
    const { settlements } = weigh({ place, known, seen, saves, own: { save: own, reasonOf } });
    if (!settlements.some(({ save, results }) => save === own && isOpen(results))) break;
  }
  if (!last) return couldNotLook(run, own, reasonOf, fault);
  for (;;) {
    const given = { place, known, seen: last, saves, lease, own: { save: own, reasonOf } };
    const confirmed = await confirmLook(given);
    if (confirmed?.own)
      return told(run, own, confirmed.own, knownAfter(known, confirmed), fault, true);
    known = await loadKnown(db(), place);
  }
}

async function couldNotLook(
  run: SaveRun,
  own: SaveRecord,
  reasonOf: (outcome: SaveOutcome) => ProblemCode | null,
  fault: Fault | null,
): Promise<SaveResult> {
  const results = unseen(own);
  const { outcome } = standingOf(results, null);
  return told(run, own, standingOf(results, reasonOf(outcome)), null, fault);
}

/** Records how a save stands, unless that was done with the look that told it, and says it to whoever saved. */
async function told(
  run: SaveRun,
  record: SaveRecord,
  standing: Standing,
  known: Known | null,
  fault: Fault | null = null,
  recorded = false,
): Promise<SaveResult> {
  if (!recorded)
    await db()
      .transaction()
      .execute((trx) => recordStanding(trx, record, standing));
  const configuration = known && (await present(run.place, known));
  const { requestId } = run.context;
  return resultOrThrow(
    resultOf(standing, { configuration, requestId, operation: run.operation }),
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
async function failedToLook(run: SaveRun, known: Known, fault: Fault): Promise<never> {
  const { requestId } = run.context;
  await noteFault(run.place, { code: fault.code, requestId, epoch: known.epoch });
  const states = known.confirmed ? statesOf(known.confirmed.snapshot, known) : [];
  const results = await recordRefused(run, states, fault.code);
  const staleReason = staleReasonOf(fault, requestId);
  const configuration = known.confirmed && (await present(run.place, known, staleReason));
  const { operation } = run;
  throw saveProblem({ outcome: "not_saved", results, configuration, requestId, operation }, fault);
}

/** Somebody else saved since the form was opened, or since it was proposed. */
async function wasStale(
  run: SaveRun,
  { states, known }: Seen,
  code: "stale_revision" | "proposal_stale",
): Promise<never> {
  await recordRefused(run, states, code);
  const configuration = await present(run.place, known);
  throw new ProblemError(code, { applied: "no", extra: { configuration } });
}

/** An attempt of which nothing was sent, recorded as such. What "keep" would have kept is what was last confirmed. */
async function recordRefused(run: SaveRun, seen: States, reason: ProblemCode) {
  const { request, place, lease } = run;
  const { authorization, url } = request;
  const typed = authorization.action === "replace" ? new Secret(authorization.value) : null;
  const fingerprint = await fingerprintOrNull(db(), place.partnerId, typed);
  const states = typesOf(request.type).map((type) => {
    const before = find(seen, type);
    const kept = authorization.action === "keep" ? (before?.fingerprint ?? null) : fingerprint;
    return { type, before, wish: { callbackUrl: url, fingerprint: kept } };
  });
  const record = await recordIntent(intentOf(run, states), lease);
  const results = states.map(({ type }) => ({ type, outcome: "not_saved", open: false }) as const);
  await db()
    .transaction()
    .execute((trx) => recordStanding(trx, record, standingOf([...results], reason)));
  return results.map(({ type, outcome }) => ({ type, outcome }));
}
