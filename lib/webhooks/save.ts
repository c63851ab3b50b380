import "server-only";
import { requirePartner, type PartnerAccess } from "@/lib/access/require";
import { requireStill } from "@/lib/access/still";
import { db } from "@/lib/db/open";
import { fieldErrorTitles } from "@/lib/field-errors";
import type { Fault } from "@/lib/partner-api/fault";
import { ProblemError } from "@/lib/problem";
import { Secret } from "@/lib/secrets/secret";
import type { SaveResult, WaitingResult } from "./configuration";
import type { Confirmed } from "./confirmed";
import { lockConnection } from "./connection-lock";
import type { Current } from "./current";
import { deadlineIn, type Deadline } from "./deadline";
import { look, type Place } from "./look";
import { partnerApi } from "./partner-api";
import { callsFor, problemOfKeeping, wishesOf, type Wish } from "./plan";
import { present } from "./present";
import { claim, isAsSigned, isOnBasis, openApproval, type Approval } from "./proposals/approval";
import { needsSecondPerson, propose } from "./proposals/propose";
import type { SignedApproval } from "./proposals/sign";
import { withProposals } from "./proposals/with-proposals";
import { placeOf } from "./read";
import { readBack, statesOf } from "./read-back";
import type { SaveRequest } from "./rules/save-request";
import { reasonOf, saveProblem } from "./save-problem";
import {
  find,
  markSent,
  openSaves,
  recordEnding,
  recordIntent,
  verdictsOf,
  type SaveRecord,
} from "./save-record";
import { failedToLook, overtaken, recordRefused, wasStale } from "./save-refused";
import { confirmHolding, intentOf, type SaveContext, type SaveRun } from "./save-run";
import { revisionOf, type Snapshot } from "./snapshot";
import { sameState } from "./state";
import { typesOf, type WebhookType } from "./types";
import { outcomeOf } from "./verdict";

/** All of a save, waiting for another one included, ends within this. */
const saveMs = 10_000;
const waitForOtherSaveMs = 4_000;
const firstLookMs = 4_000;
/** Kept back from the write, so that its outcome can still be read. */
const readBackMs = 3_000;
/** A write is not begun with less. */
const leastWriteMs = 1_000;

/**
 * Makes the request true at the payment service, or says truthfully how far that went.
 * Steps, each durable before the next: one save at a time, look, compare revisions, record the intent, send, read back,
 * record the outcome. Returns `saved` and `unchanged`; every other end is thrown as a problem that carries the same
 * members. Besides: `stale_revision` and `confirmation_required` (409), `invalid_fields` (422), faults of the service.
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
  return holdingConnection(access, environmentName, (place, deadline) =>
    save({ access, place, request, context, deadline, approval: null }),
  );
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
  return holdingConnection(access, environmentName, async (place, deadline) => {
    const approval = await openApproval(place, proposalId, access.viewer.id, signed);
    const { request } = approval;
    const run = { access, place, request, context, deadline, approval };
    return carryThrough(run, await lookFirst(run));
  });
}

/** One save at a time. */
async function holdingConnection<Result>(
  access: PartnerAccess,
  environmentName: string,
  work: (place: Place, deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const { connection } = await placeOf(access.partner.id, environmentName);
  const deadline = deadlineIn(saveMs);
  const lock = await lockConnection(connection.id, waitForOtherSaveMs);
  if (!lock) throw new ProblemError("save_in_progress", { applied: "no", retryable: true });
  try {
    // Only now: the credentials may have been replaced while this waited, but not while it holds the lock.
    const place = await placeOf(access.partner.id, environmentName);
    return await work(place, deadline);
  } finally {
    await lock.release();
  }
}

/** What the service holds as the save begins, confirmed. */
type Seen = { current: Current; confirmed: Confirmed };

async function lookFirst(run: SaveRun): Promise<Seen> {
  const { place, context } = run;
  const seen = await look(place, { requestId: context.requestId, timeoutMs: firstLookMs });
  if (!seen.ok) return failedToLook(run, seen.fault);
  const open = await openSaves(place.connection.id);
  const confirmed = await confirmHolding(place, seen.snapshot, open, null);
  return { current: seen.current, confirmed };
}

async function save(
  run: SaveRun & { request: SaveRequest; approval: null },
): Promise<SaveResult | WaitingResult> {
  const { place, request } = run;
  const seen = await lookFirst(run);
  const revision = await revisionOf(db(), place.partnerId, seen.confirmed.snapshot);
  if (revision !== request.revision) return wasStale(run, seen.confirmed, "stale_revision");
  await requireAllowed(run, seen);
  const intent = await intentOf(run, wishesFor(run, seen), statesOf(seen.confirmed.snapshot));
  if (await needsSecondPerson(place, intent.wishes, seen.confirmed.snapshot))
    return wait(run, seen.confirmed, intent);
  return apply(run, seen);
}

/** The same for what somebody else proposed. */
async function carryThrough(
  run: SaveRun & { approval: Approval },
  seen: Seen,
): Promise<SaveResult> {
  if (!isOnBasis(run.approval, statesOf(seen.confirmed.snapshot)))
    return wasStale(run, seen.confirmed, "proposal_stale");
  await requireAllowed(run, seen);
  const intent = await intentOf(run, wishesFor(run, seen), statesOf(seen.confirmed.snapshot));
  if (!isAsSigned(run.approval, intent)) return wasStale(run, seen.confirmed, "proposal_stale");
  return apply(run, seen);
}

/** What neither the service's answer nor the rules about an Authorization value that is kept stand against. */
async function requireAllowed(run: SaveRun, { current, confirmed }: Seen): Promise<void> {
  const { request, approval, access } = run;
  requireClear(request, confirmed.snapshot);
  const isAdmin = approval ? approval.authorIsAdmin : access.role === "admin";
  const keeping = problemOfKeeping(request, current, isAdmin);
  if (!keeping) return;
  // Whoever tried to have a value sent elsewhere is worth knowing: the form would not have sent this.
  const isMove = keeping.code === "retype_for_new_origin";
  await recordRefused(run, confirmed, isMove ? "forbidden" : "invalid_fields");
  if (approval)
    throw new ProblemError(isMove ? "author_may_not" : "proposal_stale", { applied: "no" });
  const errors = [{ ...keeping, message: fieldErrorTitles[keeping.code] }];
  throw new ProblemError("invalid_fields", { applied: "no", errors });
}

function wishesFor({ request }: SaveRun, { current }: Seen): Wish[] {
  const { authorization } = request;
  const typed = authorization.action === "replace" ? new Secret(authorization.value) : null;
  return wishesOf(request, current, typed);
}

/** From the intent on: sends what has to change, and tells by the read-back what became of it. */
async function apply(run: SaveRun, seen: Seen): Promise<SaveResult> {
  const { access, place, context, deadline, approval } = run;
  const wishes = wishesFor(run, seen);
  const { snapshot } = seen.confirmed;
  const intent = await intentOf(run, wishes, statesOf(snapshot));
  const record = await recordIntent(intent, async (trx) => {
    await requireStill(trx, access);
    if (approval) await claim(trx, approval, intent.actor, context.requestId);
  });
  const changing = wishes.filter(({ type }) => changes(record, type));
  if (changing.length === 0) return end(run, record, snapshot, null);

  if (!(await markSent(record.id))) throw overtaken(record);
  const { fault, certain } = await send(run, changing);
  const after = await readBack(place, record, { requestId: context.requestId, certain, deadline });
  return end(run, record, after, fault);
}

/** Writes it down for a second person to approve. */
async function wait(
  run: SaveRun & { request: SaveRequest },
  confirmed: Confirmed,
  { actor, before, wishes }: Omit<SaveRecord, "id">,
): Promise<WaitingResult> {
  const { access, request } = run;
  const { environment } = run.place;
  const { requestId } = run.context;
  const basis = typesOf(request.type).map((type) => ({ type, state: find(before, type) }));
  const made = await propose({ access, environment, request, actor, requestId, basis, wishes });
  const configuration = await withProposals(await present(run.place, confirmed));
  if (made === "pending")
    throw new ProblemError("proposal_pending", { applied: "no", extra: { configuration } });
  return { outcome: "waiting", results: [], proposal: made.id, configuration, requestId };
}

function changes(record: SaveRecord, type: WebhookType): boolean {
  return !sameState(find(record.before, type), find(record.wishes, type));
}

/** What the service answered could be read in two ways; a person has to say that the write is meant. */
function requireClear(request: SaveRun["request"], snapshot: Snapshot): void {
  if (request.confirm) return;
  const duplicate = Object.values(snapshot.webhooks).some((webhook) => webhook.duplicate);
  const reason = snapshot.unclear ? "unclear_not_found" : duplicate ? "duplicate" : null;
  if (reason) throw new ProblemError("confirmation_required", { applied: "no", extra: { reason } });
}

/**
 * Sends what has to change, and stops at the first call that fails: nothing is sent twice.
 * `certain`: surely nothing of it was applied.
 */
async function send({ place, context, deadline }: SaveRun, wishes: readonly Wish[]) {
  let certain = true;
  for (const call of callsFor(wishes)) {
    const timeoutMs = Math.max(leastWriteMs, deadline.remaining() - readBackMs);
    const result = await partnerApi().register(place.connection, call, {
      requestId: context.requestId,
      timeoutMs,
    });
    if (!result.ok)
      return { fault: result.fault, certain: certain && result.fault.applied === "no" };
    certain = false;
  }
  return { fault: null, certain };
}

/** The last step: what the service holds, how the save ended, and its history row, in one transaction. */
async function end(
  run: SaveRun,
  record: SaveRecord,
  after: Snapshot | null,
  fault: Fault | null,
): Promise<SaveResult> {
  const verdicts = verdictsOf(record, after && statesOf(after));
  const outcome = outcomeOf(verdicts.map((verdict) => verdict.outcome));
  const ending = { verdicts, reason: reasonOf(outcome, fault) };
  if (!after)
    await db()
      .transaction()
      .execute((trx) => recordEnding(trx, record, ending));
  const confirmed = after && (await confirmHolding(run.place, after, [], { save: record, ending }));
  const result: SaveResult = {
    outcome,
    results: verdicts,
    configuration: confirmed && (await withProposals(await present(run.place, confirmed))),
    requestId: run.context.requestId,
  };
  if (outcome === "saved" || outcome === "unchanged") return result;
  throw saveProblem(result, fault);
}
