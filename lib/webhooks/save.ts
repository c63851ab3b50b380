import "server-only";
import { requirePartner, type PartnerAccess } from "@/lib/access/require";
import { db } from "@/lib/db/open";
import { fieldErrorTitles } from "@/lib/field-errors";
import type { Fault } from "@/lib/partner-api/fault";
import { noteFault } from "@/lib/partners/overview";
import { ProblemError, type ProblemCode } from "@/lib/problem";
import { Secret } from "@/lib/secrets/secret";
import type { SaveResult } from "./configuration";
import { loadConfirmed, type Confirmed } from "./confirmed";
import { confirmLook, type Settled } from "./confirm-look";
import { lockConnection } from "./connection-lock";
import { deadlineIn, type Deadline } from "./deadline";
import { look, type Place } from "./look";
import { partnerApi } from "./partner-api";
import { callsFor, problemOfKeeping, wishesOf, type Wish } from "./plan";
import { present } from "./present";
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
  type OpenSave,
  type SaveRecord,
  type States,
} from "./save-record";
import { fingerprintOrNull, revisionOf, type Snapshot } from "./snapshot";
import { sameState } from "./state";
import { typesOf, type WebhookType } from "./types";
import { outcomeOf } from "./verdict";

/** Where a save came from; goes into the history. */
export type SaveContext = { requestId: string; clientAddress: string | null };

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
 */
export async function saveConfiguration(
  partnerId: string,
  environmentName: string,
  request: SaveRequest,
  context: SaveContext,
): Promise<SaveResult> {
  const access = await requirePartner(partnerId, "webhooks.write");
  const { connection } = await placeOf(access.partner.id, environmentName);
  const deadline = deadlineIn(saveMs);
  const lock = await lockConnection(connection.id, waitForOtherSaveMs);
  if (!lock) throw new ProblemError("save_in_progress", { applied: "no", retryable: true });
  try {
    // Only now: the credentials may have been replaced while this waited, but not while it holds the lock.
    const place = await placeOf(access.partner.id, environmentName);
    return await save({ access, place, request, context, deadline });
  } finally {
    await lock.release();
  }
}

type Save = {
  access: PartnerAccess;
  place: Place;
  request: SaveRequest;
  context: SaveContext;
  deadline: Deadline;
};

async function save(run: Save): Promise<SaveResult> {
  const { place, request, context, deadline } = run;
  const seen = await look(place, { requestId: context.requestId, timeoutMs: firstLookMs });
  if (!seen.ok) return failedToLook(run, seen.fault);
  const confirmed = await confirmHolding(
    place,
    seen.snapshot,
    await openSaves(place.connection.id),
    null,
  );

  const revision = await revisionOf(db(), place.partnerId, confirmed.snapshot);
  if (revision !== request.revision) return wasStale(run, confirmed);
  requireClear(request, confirmed.snapshot);
  const keeping = problemOfKeeping(request, seen.current, run.access.role === "admin");
  if (keeping) {
    // Whoever tried to have a value sent elsewhere is worth knowing: the form would not have sent this.
    const isMove = keeping.code === "retype_for_new_origin";
    await recordRefused(run, confirmed, isMove ? "forbidden" : "invalid_fields");
    const errors = [{ ...keeping, message: fieldErrorTitles[keeping.code] }];
    throw new ProblemError("invalid_fields", { applied: "no", errors });
  }

  const newSecret =
    request.authorization.action === "replace" ? new Secret(request.authorization.value) : null;
  const wishes = wishesOf(request, seen.current, newSecret);
  const record = await recordIntent(await intentOf(run, wishes, statesOf(confirmed.snapshot)));
  const changing = wishes.filter(({ type }) => changes(record, type));
  if (changing.length === 0) return end(run, record, confirmed.snapshot, null);

  await markSent(record.id);
  const { fault, certain } = await send(run, changing);
  const after = await readBack(place, record, { requestId: context.requestId, certain, deadline });
  return end(run, record, after, fault);
}

function changes(record: SaveRecord, type: WebhookType): boolean {
  return !sameState(find(record.before, type), find(record.wishes, type));
}

/** What the service answered could be read in two ways; a person has to say that the write is meant. */
function requireClear(request: SaveRequest, snapshot: Snapshot): void {
  if (request.confirm) return;
  const duplicate = Object.values(snapshot.webhooks).some((webhook) => webhook.duplicate);
  const reason = snapshot.unclear ? "unclear_not_found" : duplicate ? "duplicate" : null;
  if (reason) throw new ProblemError("confirmation_required", { applied: "no", extra: { reason } });
}

async function intentOf(
  { access, place, context }: Save,
  wishes: readonly Wish[],
  before: States,
): Promise<Omit<SaveRecord, "id">> {
  const actor = {
    id: access.viewer.id,
    name: access.viewer.name,
    clientAddress: context.clientAddress,
  };
  return {
    partnerId: place.partnerId,
    environment: place.environment,
    connectionId: place.connection.id,
    requestId: context.requestId,
    actor,
    before: before.filter(({ type }) => wishes.some((wish) => wish.type === type)),
    wishes: await Promise.all(
      wishes.map(async ({ type, url, authorization }) => ({
        type,
        state: {
          callbackUrl: url,
          fingerprint: await fingerprintOrNull(db(), place.partnerId, authorization),
        },
      })),
    ),
  };
}

/**
 * Sends what has to change, and stops at the first call that fails: nothing is sent twice.
 * `certain`: surely nothing of it was applied.
 */
async function send({ place, context, deadline }: Save, wishes: readonly Wish[]) {
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
  run: Save,
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
    configuration: confirmed && (await present(run.place, confirmed)),
    requestId: run.context.requestId,
  };
  if (outcome === "saved" || outcome === "unchanged") return result;
  throw saveProblem(result, fault);
}

/** The service could not be asked, so nothing was sent. */
async function failedToLook(run: Save, fault: Fault): Promise<never> {
  const confirmed = await loadConfirmed(db(), run.place.connection.id);
  const { requestId } = run.context;
  await noteFault(run.place, { code: fault.code, requestId, epoch: confirmed?.epoch ?? 0 });
  const results = await recordRefused(run, confirmed, fault.code);
  const staleReason = { code: fault.code, requestId };
  const configuration = confirmed && (await present(run.place, confirmed, staleReason));
  throw saveProblem({ outcome: "not_saved", results, configuration, requestId }, fault);
}

/** Somebody else saved since the form was opened. */
async function wasStale(run: Save, confirmed: Confirmed): Promise<never> {
  await recordRefused(run, confirmed, "stale_revision");
  const configuration = await present(run.place, confirmed);
  throw new ProblemError("stale_revision", { applied: "no", extra: { configuration } });
}

/** An attempt of which nothing was sent, recorded as such. What "keep" would have kept is what was last confirmed. */
async function recordRefused(run: Save, confirmed: Confirmed | null, reason: ProblemCode) {
  const before = confirmed ? statesOf(confirmed.snapshot) : [];
  const value = run.request.authorization;
  const typed = value.action === "replace" ? new Secret(value.value) : null;
  const intent = await intentOf(
    run,
    typesOf(run.request.type).map((type) => ({ type, url: run.request.url, authorization: typed })),
    before,
  );
  if (value.action === "keep")
    for (const { type, state } of intent.wishes)
      if (state) state.fingerprint = find(before, type)?.fingerprint ?? null;
  const record = await recordIntent(intent);
  const verdicts = record.wishes.map(({ type }) => ({ type, outcome: "not_saved" as const }));
  await db()
    .transaction()
    .execute((trx) => recordEnding(trx, record, { verdicts, reason }));
  return verdicts;
}

/** Stores a look while the lock is ours: only a reader can have been quicker, so trying again ends soon. */
async function confirmHolding(
  place: Place,
  snapshot: Snapshot,
  open: readonly OpenSave[],
  ended: Settled | null,
): Promise<Confirmed> {
  for (;;) {
    const before = await loadConfirmed(db(), place.connection.id);
    const confirmed = await confirmLook(place, before, snapshot, open, ended);
    if (confirmed) return confirmed;
  }
}
