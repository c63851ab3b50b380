import "server-only";
import { holdLease, releaseHeld } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { saveTimings } from "@/lib/platform/runtime/timings";
import { hasValue } from "@/lib/webhooks/server/observe/look";
import type { Known } from "@/lib/webhooks/server/observe/observed";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { interpret, recordOwnLook, type Fetched } from "@/lib/webhooks/server/observe/record-look";
import { fetchRemoteState } from "@/lib/webhooks/server/observe/remote-state";
import {
  isRefused,
  mayApply,
  stateOf,
  type Answer,
  type SavedType,
} from "@/lib/webhooks/server/observe/said";
import type { SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import { explaining, noteSent, recordAnswer } from "@/lib/webhooks/server/observe/saves";
import { setTimeout as pause } from "node:timers/promises";
import type { SaveEnd, SaveRun } from "./hold";
import type { LookBefore } from "./look-before";
import { callsFor, type DesiredChange } from "./plan";

/** The write, and the looks after it. */

/** Sends the changes and stops at the first call that fails; sends nothing twice. */
export async function send(
  { connectionRef, context, deadline, progress, early }: SaveRun,
  desired: readonly DesiredChange[],
) {
  const answers = new Map<DesiredChange["type"], Answer>(
    desired.map(({ type }) => [type, "unsent"]),
  );
  for (const call of callsFor(desired)) {
    const timeoutMs = Math.max(
      saveTimings.minWriteMs,
      deadline.remainingMs - saveTimings.readBackMs,
    );
    const result = await partnerApi().register(connectionRef.connection, call, {
      requestId: context.requestId,
      timeoutMs,
      early,
      // Well before the answer could report it as not sent.
      notAfter: deadline.endsAt - saveTimings.minWriteMs,
      onSend: () => {
        progress.step = "sending";
      },
    });
    for (const { type } of desired)
      if (call.type === null || call.type === type) answers.set(type, answerIn(result));
    if (!result.ok) return { answers, fault: result.fault };
  }
  return { answers, fault: null };
}

function answerIn(result: Awaited<ReturnType<ReturnType<typeof partnerApi>["register"]>>): Answer {
  if (result.ok) return result.status;
  const { applied, during, upstreamStatus } = result.fault;
  const status = during === "register" ? (upstreamStatus ?? null) : null;
  const isRefusal = status !== null && status >= 400 && status < 500;
  return applied === "unknown" || isRefusal ? status : "unsent";
}

/**
 * Looks until the list shows what was asked for, at most three times within the deadline, and records the last look with
 * the answer. A failed reading says nothing, and takes nothing from an earlier one.
 */
export async function lookAfter(
  run: SaveRun,
  { known, saves: before }: Pick<LookBefore, "known" | "saves">,
  own: SaveRecord,
  fault: Fault | null,
): Promise<SaveEnd> {
  const { connectionRef, lease, deadline, context } = run;
  run.progress.step = "reading_back";
  let fetched: Fetched | null = null;
  const isCertain = own.types.every((each) => !mayApply(each) || isRefused(each));
  const { fetchAgainAfterMs, minFetchMs } = saveTimings;
  const saves = [...before, own];
  for (const wait of isCertain ? fetchAgainAfterMs.slice(0, 1) : fetchAgainAfterMs) {
    if (deadline.remainingMs < wait + minFetchMs) break;
    await pause(wait);
    const { requestId } = context;
    const options = { requestId, timeoutMs: deadline.remainingMs, ofSave: true } as const;
    const answered = await fetchRemoteState(connectionRef, known, options);
    if (!answered.ok) continue;
    fetched = answered;
    const after = interpret(known, fetched, saves).saves.at(-1);
    if (after && explaining(after).every((each) => hasShownAll(each, known))) break;
  }
  if (!fetched) {
    const save = await db()
      .transaction()
      .execute(async (trx) => {
        await holdLease(trx, lease);
        await noteSent(trx, connectionRef, own.types.filter(mayApply));
        return recordAnswer(trx, own);
      });
    return { kind: "recorded", save, saves: null, last: null, fault };
  }
  const look = { connectionRef, known, fetched, saves, own };
  const recorded = await db()
    .transaction()
    .execute(async (trx) => {
      // Its last work: the lock would only block the next save.
      await releaseHeld(trx, lease);
      return recordOwnLook(trx, look);
    });
  const save = recorded.saves.find(({ id }) => id === own.id) ?? own;
  run.progress.recorded = { kind: "recorded", save, saves: null, last: null, fault };
  return { kind: "recorded", save, ...recorded, fault };
}

/**
 * Another look within seconds is not expected to show more: it is there; or the list shows no value where one was shown
 * before, or never showed one that was sent. Where none was registered, it may only lag.
 */
function hasShownAll(each: SavedType, { last }: Known): boolean {
  const state = stateOf(each);
  if (state === "saved" || state === "partly") return true;
  const observed = last?.types[each.type];
  const hidesValues =
    observed !== undefined && observed.sentValue !== null && !observed.showsValues;
  return each.value === "not_shown" && (hasValue(each.before) || hidesValues);
}
