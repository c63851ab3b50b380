import "server-only";
import { actorOf } from "@/lib/history/server/record/record";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { ProblemCode } from "@/lib/platform/http/model/problem";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { Transaction } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import type { SaveOutcome, SaveResult } from "@/lib/webhooks/model/configuration";
import { confirmFetch, interpret } from "@/lib/webhooks/server/read/confirm";
import { loadLastKnown, storeKnown, type LastKnown } from "@/lib/webhooks/server/read/last-known";
import { fetchRemoteState, type RemoteFetch } from "@/lib/webhooks/server/read/remote-state";
import { partnerApi } from "@/lib/webhooks/server/read/partner-api";
import { callsFor, type DesiredChange } from "./plan";
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
} from "./save-record";
import {
  type FetchedForSave,
  type SaveRun,
  knownAfter,
  describeSave,
  notSent,
  reasonFor,
  requireInTime,
} from "./run";

/** From the intent on: sends the changes, and fetches again to learn the outcome. */
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
    known = await knowTyped(trx, run, known, plan);
    const { approval, context } = run;
    if (!approval) return;
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

/** A typed value that the list shows is as good as written: it need not be sent to be known. */
async function knowTyped(
  trx: Transaction<Database>,
  { connectionRef, request }: SaveRun,
  before: LastKnown,
  plan: readonly DesiredChange[],
): Promise<LastKnown> {
  const shown = plan.filter(({ changes, known }) => !changes && !known);
  if (request.authorization.action !== "replace" || shown.length === 0) return before;
  for (let known = before; ; known = await loadLastKnown(trx, connectionRef)) {
    const written = { ...known.confirmed?.written };
    for (const { type, desired } of shown)
      written[type] = { value: desired.fingerprint, at: Date.now() };
    if (await storeKnown(trx, connectionRef, known, { written }))
      return loadLastKnown(trx, connectionRef);
  }
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
      // Well before an answer that says that it was not sent.
      notAfter: deadline.endsAt - saveTimings.minWriteMs,
      onSend: () => {
        progress.step = "sending";
        progress.mayTakeEffect = true;
      },
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
 * Fetches until the service shows the desired state, at most three times within the deadline, and once more where an
 * effect that it did not acknowledge is to be confirmed; records the state of the save. A failed fetch proves nothing,
 * and takes nothing from what an earlier one proved.
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
  // An earlier save may take effect only now. Where none was followed as this one took the lock, there is none.
  const followed = before.isFollowed ? await followedSaves(connectionRef.connection) : [];
  const saves = followed.filter(({ id }) => id !== own.id);
  // Transitions are judged against the stored state, which a reader may have updated meanwhile.
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
  if (!last) return describeInvisible(run, own, reasonOf, fault);
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

async function describeInvisible(
  run: SaveRun,
  own: SaveRecord,
  reasonOf: (outcome: SaveOutcome) => ProblemCode | null,
  fault: Fault | null,
): Promise<SaveResult> {
  const results = unconfirmedResults(own);
  const { outcome } = saveStatusOf(results, null);
  return describeSave(run, own, saveStatusOf(results, reasonOf(outcome)), null, fault);
}
