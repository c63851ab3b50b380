import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { isLeaseLost } from "@/lib/platform/database/lease";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { Deadline } from "@/lib/platform/runtime/deadline";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { SaveStep } from "@/lib/webhooks/model/configuration";
import { isNextAfter, lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import { settleLeftBehind } from "@/lib/webhooks/server/observe/follow";
import type { Known, LastLook, SecondPeople } from "@/lib/webhooks/server/observe/observed";
import { partnerApi } from "@/lib/webhooks/server/observe/partner-api";
import { requireKnownConnection } from "@/lib/webhooks/server/observe/reading";
import type { SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import type { LockedSave } from "./intent";
import type { Approval } from "./proposals";

/** One save of a connection at a time, its time, and how a submission ended. */

/** How a submission ended. */
export type SaveEnd =
  /** It is recorded: carried out, or not sent because of a fault. `last`: null where the list could not be read. */
  | {
      kind: "recorded";
      save: SaveRecord;
      last: LastLook | null;
      /** Those that may explain what the last look showed; null: they were not loaded. */
      saves: readonly SaveRecord[] | null;
      fault: Fault | null;
      /** The list could not be read, so that nothing was sent: `last` is older. */
      unread?: true;
    }
  /** It waits for a second person. */
  | { kind: "waiting"; id: string; last: LastLook | null }
  /** Nothing was sent, because of what is registered or waits by now. */
  | {
      kind: "outdated";
      code: "stale_revision" | "proposal_stale" | "proposal_pending";
      last: LastLook;
    }
  /** It did not end in time. Where it may take effect, whoever asks later is told how it ended. */
  | { kind: "out_of_time"; mayTakeEffect: boolean };

export type SaveProgress = {
  step: SaveStep;
  /** It may have been sent or stored for approval, so it cannot be reported as not sent any more. */
  mayTakeEffect: boolean;
  /** What is recorded of its end already. */
  recorded: SaveEnd | null;
  /** It ran out of time, and was answered. */
  givenUp: boolean;
};

export type SaveRun = LockedSave & {
  /** As loaded under the lock, under which alone a change of webhooks can begin to wait. */
  known: Known;
  secondPeople: SecondPeople;
  /** It is recorded already: the same request was received before. */
  hasChange: boolean;
  /** `saveTimings.saveMs` for all steps together. */
  deadline: Deadline;
  /** The approved proposal; null for a save that needs no approval. */
  approval: Approval | null;
  progress: SaveProgress;
  /** The connection of its write, opened while it looks. */
  early: ReturnType<ReturnType<typeof partnerApi>["prepare"]>;
};

export type Held = Pick<
  SaveRun,
  | "connectionRef"
  | "known"
  | "secondPeople"
  | "hasChange"
  | "lease"
  | "deadline"
  | "progress"
  | "early"
>;

export class OutOfTime extends Error {
  override name = "OutOfTime";
}

/** One save of a connection at a time, and an answer in time. `progress` is the caller's, who publishes it. */
export async function holdingConnection<Answer>(
  access: PartnerAccess,
  { environment, changeId }: { environment: string; changeId: string },
  progress: SaveProgress,
  { requestId, arrivedAt = performance.now() }: RequestContext,
  steps: {
    work: (held: Held) => Promise<Answer>;
    /** The answer where there is no time, or no database, to read more than this. */
    inShort: (end: SaveEnd) => Answer;
    /** Whether this submission is recorded, where another save holds the lock: it may be the same request, sent twice. */
    isRecorded: (connectionRef: Held["connectionRef"]) => Promise<boolean>;
  },
): Promise<Answer> {
  const spentMs = performance.now() - arrivedAt;
  const deadline = new Deadline({ ms: saveTimings.saveMs - spentMs });
  const answer = new Deadline({ ms: saveTimings.answerMs - spentMs });
  const done = hold().finally(() => deadline.end());
  const ended = await answer.race(done).finally(() => answer.end());
  if (ended.inTime) return ended.value;
  progress.givenUp = true;
  // What it still does is recorded, for anybody who asks later.
  done.catch((err: unknown) => log.warn({ err, requestId }, "a save ended after its answer"));
  return steps.inShort(outOfTime(progress));

  async function hold(): Promise<Answer> {
    const first = await requireKnownConnection(access, environment, changeId);
    const ref = first.connectionRef;
    const lease = await lockConnection(ref.connection.id, saveTimings.waitForOtherSaveMs);
    if (!lease) {
      if (await steps.isRecorded(ref))
        return steps.inShort({ kind: "out_of_time", mayTakeEffect: true });
      throw new ProblemError("save_in_progress", { applied: "no", retryable: true });
    }
    const early = partnerApi().prepare(ref.connection);
    try {
      // Whoever had the lock since may have saved, or replaced the credentials; while this holds it, nobody does.
      let connection = isNextAfter(lease, first.lock)
        ? first
        : await requireKnownConnection(access, environment, changeId);
      // What another process left behind was sent before this save, so it has to be known by now (R11).
      if (connection.known.isUnanswered) {
        await settleLeftBehind(ref.connection.id, connection.connectionRef, lease);
        connection = await requireKnownConnection(access, environment, changeId);
      }
      const { connectionRef, known, secondPeople, hasChange } = connection;
      const held = { connectionRef, known, secondPeople, hasChange };
      return await steps.work({ ...held, lease, deadline, progress, early });
    } catch (error) {
      if (error instanceof OutOfTime) return steps.inShort(outOfTime(progress));
      if (isDatabaseUnavailable(error)) {
        if (progress.recorded) return steps.inShort(progress.recorded);
        error.applied = progress.mayTakeEffect ? "unknown" : "no";
      }
      // Another process holds the lock by now, and records what is known of the save.
      if (isLeaseLost(error)) return steps.inShort(outOfTime(progress));
      throw error;
    } finally {
      early?.close();
      // The end is known by now, and a lock that is not released expires.
      await lease
        .release()
        .catch((err: unknown) => log.warn({ err, requestId }, "a lock could not be released"));
    }
  }
}

function outOfTime({ recorded, mayTakeEffect }: SaveProgress): SaveEnd {
  return recorded ?? { kind: "out_of_time", mayTakeEffect };
}

/**
 * Throws where the person already got the answer that nothing was sent, or where too little time is left. Call it before
 * anything that cannot be undone, as the last step of the transaction.
 */
export function requireInTime(
  { progress, deadline }: SaveRun,
  neededMs = saveTimings.minWriteMs,
): void {
  if (progress.givenUp || deadline.remainingMs < neededMs) throw new OutOfTime();
}
