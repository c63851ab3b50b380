import "server-only";
import { claim } from "@/lib/changes/server/proposals";
import { actorOf } from "@/lib/history/server/record/record";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { typesOf } from "@/lib/platform/payment-service/contract/terms";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { Secret } from "@/lib/platform/runtime/secret";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { find } from "@/lib/webhooks/model/webhook-version";
import { loadKnown, type LastLook } from "@/lib/webhooks/server/observe/observed";
import { fingerprintOrNull, revisionOf } from "@/lib/webhooks/server/observe/remote-state";
import { mayApply } from "@/lib/webhooks/server/observe/said";
import { askerOf, type SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import { noteUnchanged, recordAnswer, withAnswers } from "@/lib/webhooks/server/observe/saves";
import { OutOfTime, requireInTime, type Held, type SaveEnd, type SaveRun } from "./hold";
import { recordIntent, recordOf, recordUnsent } from "./intent";
import { lookBefore, recordBefore, storeBefore, type LookBefore } from "./look-before";
import { planOf, type DesiredChange, type ShownState } from "./plan";
import { isOnBasis, needsSecondPerson, openApproval, proposeSave } from "./proposals";
import { refuseOutdated, requireAllowed } from "./refuse";
import { lookAfter, send } from "./send";

/**
 * The steps of a save, each durable before the next: one at a time for each connection, look, compare revisions, record
 * the intent, send, record the answer with what the next looks show. docs/decisions/saving.md has the rules.
 */

/** Saves what a person asked for, or stores it for a second person. */
export async function saveAsked(
  run: Omit<SaveRun, "request" | "approval"> & { request: SaveRequest },
): Promise<SaveEnd> {
  const saving = { ...run, approval: null };
  const before = await lookBefore(saving);
  if ("kind" in before) return before;
  const revision = await revisionOf(db(), run.connectionRef, before.remote);
  if (revision !== run.request.revision) return refuseOutdated(saving, before, "stale_revision");
  await requireAllowed(saving, before);
  const plan = await planFor(saving, before);
  if (needsSecondPerson(run.secondPeople.isRequired, run.connectionRef, plan, before))
    return storeProposal(saving, before, plan);
  return carryOut(saving, before, plan);
}

/** Approves a proposal and carries it out in the same steps; the approver is the one who saves. */
export async function saveApproved(
  held: Held,
  {
    access,
    changeId,
    context,
  }: { access: PartnerAccess; changeId: string; context: RequestContext },
): Promise<SaveEnd> {
  const approval = await openApproval(held.connectionRef, changeId, access.viewer.id);
  const { request } = approval;
  const run: SaveRun = { access, request, changeId, context, approval, ...held };
  const before = await lookBefore(run);
  if ("kind" in before) return before;
  if (!isOnBasis(approval, before.versions, held.connectionRef.connection))
    return refuseOutdated(run, before, "proposal_stale");
  await requireAllowed(run, before);
  return carryOut(run, before, await planFor(run, before));
}

async function planFor(
  { connectionRef, request }: SaveRun,
  before: ShownState,
): Promise<DesiredChange[]> {
  const { authorization } = request;
  if (authorization.action !== "replace") return planOf(request, before, null);
  const value = new Secret(authorization.value);
  const fingerprint = (await fingerprintOrNull(db(), connectionRef.partnerId, value)) ?? "";
  return planOf(request, before, { value, fingerprint });
}

/** Records the change as a proposal for a second person to approve. */
async function storeProposal(
  run: SaveRun & { request: SaveRequest },
  before: LookBefore,
  plan: readonly DesiredChange[],
): Promise<SaveEnd> {
  const { access, request, context } = run;
  const last = await storeBefore(run, before);
  const basis = typesOf(request.type).map((type) => ({
    type,
    state: find(before.versions, type),
  }));
  const typed = request.authorization.action === "replace";
  const made = await proposeSave(
    {
      ...run,
      actor: actorOf(access.viewer, context),
      requestId: context.requestId,
      basis,
      desired: plan.map(({ type, desired: state }) => ({ type, state, ...(typed && { typed }) })),
    },
    () => {
      requireInTime(run);
      run.progress.mayTakeEffect = true;
    },
  );
  if (made === "pending") return { kind: "outdated", code: "proposal_pending", last };
  run.progress.recorded = { kind: "waiting", id: made.id, last: null };
  return { kind: "waiting", id: made.id, last };
}

/** Records the intent, sends the changes, and looks for them. */
async function carryOut(
  run: SaveRun,
  before: LookBefore,
  plan: readonly DesiredChange[],
): Promise<SaveEnd> {
  const { connectionRef, access, approval, context, progress } = run;
  requireInTime(run, saveTimings.minWriteMs + saveTimings.readBackMs);
  const intent = recordOf(run, plan);
  let looked = { last: before.known.last, saves: before.saves };
  const recorded = recordIntent(run, intent, {
    withIt: async (trx) => {
      looked = await recordBefore(trx, connectionRef, before);
      const { requiresFourEyes } = await recheckRole(trx, access);
      if (approval) {
        const { requestId } = context;
        await claim(trx, approval, { actor: actorOf(access.viewer, context), requestId });
      } else if (needsSecondPerson(requiresFourEyes, connectionRef, plan, before))
        // Four-eyes approval may have been switched on since.
        throw new ProblemError("changed_meanwhile", { applied: "no" });
      const shown = intent.types.filter(
        ({ type, unchanged, typed }) => unchanged && (typed ?? before.types[type].asker === null),
      );
      if (shown.length > 0) await noteUnchanged(trx, connectionRef, shown, askerOf(intent));
    },
    beforeCommit: () => {
      requireInTime(run);
      // From here on others may find it, and this process may not live to say that nothing left.
      // An approval ends its proposal, also where nothing has to be sent.
      progress.mayTakeEffect =
        approval !== null || intent.types.some(({ unchanged }) => !unchanged);
    },
  });
  const sent = await recorded.catch((error: unknown) => {
    if (!(error instanceof OutOfTime) || approval) throw error;
    return null;
  });
  // Nothing of it is stored: it is recorded for whoever asks.
  if (!sent) return unsent(await recordUnsent(run, intent, "not_saved"), null);
  const { last, saves } = looked;
  if (sent.state === "closed") {
    progress.recorded = unsent(sent, null);
    return unsent(sent, (await loadKnown(db(), connectionRef)).last);
  }
  // Recorded at once: until it is, the save would seem to be in progress.
  if (progress.givenUp || run.deadline.remainingMs < saveTimings.minWriteMs)
    return endUnsent(run, withAnswers(sent, "unsent"), null, null);
  const { answers, fault } = await send(
    run,
    plan.filter(({ changes }) => changes),
  );
  const answered: SaveRecord = {
    ...sent,
    state: "answered",
    justAnswered: true,
    problem: fault?.code ?? null,
    types: sent.types.map((each) =>
      each.unchanged ? each : { ...each, answer: answers.get(each.type) ?? null },
    ),
  };
  if (!answered.types.some(mayApply)) return endUnsent(run, answered, last, fault);
  const known = last ? { ...before.known, last, epoch: last.epoch, isListed: true } : before.known;
  return lookAfter(run, { known, saves }, answered, fault);
}

/** No byte left. Only this process knows that, so it says so whoever holds the lock by now. */
async function endUnsent(
  run: SaveRun,
  record: SaveRecord,
  last: LastLook | null,
  fault: Fault | null,
): Promise<SaveEnd> {
  await db()
    .transaction()
    .execute((trx) => recordAnswer(trx, record));
  run.progress.recorded = unsent(record, last, fault);
  return run.progress.recorded;
}

function unsent(save: SaveRecord, last: LastLook | null, fault: Fault | null = null): SaveEnd {
  return { kind: "recorded", save, saves: null, last, fault };
}
