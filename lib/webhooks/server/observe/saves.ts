import "server-only";
import { recordHistory, type NewHistoryEntry } from "@/lib/history/server/record/record";
import { isFollowed, type Database } from "@/lib/platform/database/tables";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { Transaction } from "kysely";
import { isAlike, lastsMs, windowMs } from "./look";
import {
  changeTypes,
  endLooks,
  loadKnown,
  type Asker,
  type ObservedTypes,
  type TypeObserved,
} from "./observed";
import type { ConnectionRef } from "./remote-state";
import { afterSending } from "./retype";
import { stateOf, type Answer, type SavedType } from "./said";
import { notShownEntries, sentEntry, shownEntries } from "./save-entries";
import { columnsOf, followedSaves, inMs, rowOf, type SaveRecord } from "./save-record";

/** What becomes of a save: its answer, what looks show of it, and its end. */

/** The types of a save that looks can be about. */
export function explaining({ types, state }: SaveRecord): SavedType[] {
  const isSent = state === "sent" || state === "answered";
  return isSent ? types.filter(({ unchanged, answer }) => !unchanged && answer !== "unsent") : [];
}

/**
 * Whether no further look can show more of it: two looks after its ten minutes counted, a minute apart. A type that
 * cannot be read is given up once they are over twice.
 */
function isDone(save: SaveRecord, unreadable: readonly WebhookType[]): boolean {
  const isGivenUp = save.sentAt !== null && save.now >= save.sentAt + 2 * windowMs;
  return explaining(save).every(
    (each) => each.over ?? (isGivenUp && unreadable.includes(each.type)),
  );
}

/** Whether a look showed nothing of it that its row does not have, and does not close it. */
export function isAsRecorded(before: SaveRecord, after: SaveRecord | undefined): boolean {
  if (!after || columnsOf(before, null).seen !== columnsOf(after, null).seen) return false;
  return after.state !== "answered" || !isDone(after, []);
}

/** Whether its ten minutes are over, on the steady clock. */
export function isAfterTime({ sentAt }: Pick<SaveRecord, "sentAt">, steady: number): boolean {
  return sentAt !== null && steady >= sentAt + windowMs;
}

/**
 * Stores what a look showed of a save, in the transaction that stores the look; closes it where no further look can
 * show more. Returns an entry for each thing that is new, for its caller to record.
 */
export async function recordSeen(
  trx: Transaction<Database>,
  before: SaveRecord,
  after: SaveRecord,
  observed: ObservedTypes | null,
  unreadable: readonly WebhookType[] = [],
): Promise<NewHistoryEntry[]> {
  // Closed by a look alone, which says until when it was looked for.
  const isLooked = observed !== null || explaining(after).length === 0;
  const isClosed = after.state === "answered" && isLooked && isDone(after, unreadable);
  const { answers, seen } = columnsOf(after, isClosed ? observed : null);
  const was = columnsOf(before, null);
  if (!isClosed && seen === was.seen && answers === was.answers && before.state === after.state)
    return [];
  const { numUpdatedRows } = await trx
    .updateTable("changes")
    .set({
      answers_json: answers,
      seen_json: seen,
      problem: after.problem,
      state: isClosed ? "closed" : after.state,
      ...(isClosed && { next_check_at: null, closed_at: Date.now() }),
      ...(before.state !== "answered" &&
        !isClosed && { next_check_at: inMs(nextLookMs(after, observed)) }),
    })
    .where(rowOf(after))
    .where(isFollowed)
    .executeTakeFirst();
  // Somebody else has ended it.
  if (numUpdatedRows !== 1n) return [];
  const isSent =
    after.state === "answered" && (before.state !== "answered" || was.answers !== answers);
  return [
    ...(isSent ? [sentEntry(after)] : []),
    ...shownEntries(before, after),
    ...notShownEntries(before, after),
  ];
}

/** How long after an answer the reader looks again: soon for what is not shown, else once its time is over. */
function nextLookMs(save: SaveRecord, observed: ObservedTypes | null): number {
  const sent = explaining(save);
  if (!sent.every((each) => stateOf(each) === "saved")) return saveTimings.followAtMs[0];
  return sent.some(({ type }) => observed && isDoubtful(observed[type])) ? lastsMs : windowMs;
}

/** What is shown does not count yet: it may come from a lagging replica. */
export function isDoubtful({ shown, settled }: ObservedTypes[WebhookType]): boolean {
  return settled !== undefined && shown !== null && !isAlike(shown.state, settled);
}

/**
 * Ends saves without a look: the last one stands, which said until when they were looked for. The service is read as
 * another client or at another address from now on, or never again; a reading that began before stores nothing.
 */
export async function closeSaves(
  trx: Transaction<Database>,
  connectionId: string,
  given: readonly Pick<SaveRecord, "id">[] | "all",
): Promise<void> {
  const looked = await endLooks(trx, connectionId);
  const here = looked ? await followedSaves(looked.connection, trx) : [];
  for (const save of await followedSaves({ id: connectionId }, trx)) {
    if (given !== "all" && !given.some(({ id }) => id === save.id)) continue;
    const isHere = here.some(({ id }) => id === save.id);
    const answered = withAnswers(save, null);
    const { answers, seen } = columnsOf(answered, isHere && looked ? looked.types : null);
    await trx
      .updateTable("changes")
      .set({
        state: "closed",
        answers_json: answers,
        seen_json: seen,
        problem: answered.problem,
        closed_at: Date.now(),
        next_check_at: null,
      })
      .where(rowOf(save))
      .where(isFollowed)
      .execute();
    if (save.state !== "answered") await recordHistory(trx, sentEntry(answered));
  }
}

/** These were sent last. */
export function noteSent(
  trx: Transaction<Database>,
  connectionRef: ConnectionRef,
  sent: readonly SavedType[],
): Promise<void> {
  return noteOf(trx, connectionRef, sent, afterSending);
}

/**
 * These are shown as somebody asked. A value that they typed counts as sent; where no save asked for what is shown
 * before, this one did.
 */
export function noteUnchanged(
  trx: Transaction<Database>,
  connectionRef: ConnectionRef,
  shown: readonly SavedType[],
  asker: Asker,
): Promise<void> {
  return noteOf(trx, connectionRef, shown, (observed, each) => ({
    ...(each.typed ? afterSending(observed, each) : observed),
    asker: observed.asker ?? asker,
  }));
}

async function noteOf(
  trx: Transaction<Database>,
  connectionRef: ConnectionRef,
  types: readonly SavedType[],
  note: (observed: TypeObserved, each: SavedType) => TypeObserved,
): Promise<void> {
  for (let isStored = false; !isStored;) {
    const known = await loadKnown(trx, connectionRef);
    if (!known.last) return;
    isStored = await changeTypes(trx, connectionRef, known, (observed, type) => {
      const each = types.find((other) => other.type === type);
      return each ? note(observed, each) : observed;
    });
  }
}

/**
 * Records an answer, that none is known, or that nothing was sent, without a look: with what readings have seen of the
 * save meanwhile. Returns the save as it is recorded.
 */
export async function recordAnswer(
  trx: Transaction<Database>,
  save: SaveRecord,
): Promise<SaveRecord> {
  const stored = (await followedSaves({ id: save.connectionId }, trx)).find(
    ({ id }) => id === save.id,
  );
  if (!stored) return save;
  const [answered = save] = withOwn([stored], save);
  await recordHistory(trx, ...(await recordSeen(trx, stored, answered, null)));
  return answered;
}

/** A save's row, as readings may have changed it meanwhile, with the answer that its process has just got. */
export function withOwn(saves: readonly SaveRecord[], own: SaveRecord | null): SaveRecord[] {
  return saves.map((save) => {
    if (save.id !== own?.id) return save;
    const types = save.types.map((each) => {
      const answer = own.types.find(({ type }) => type === each.type)?.answer;
      return answer === undefined ? each : { ...each, answer };
    });
    const { state, problem } = own;
    return { ...save, state, problem, types, justAnswered: true as const };
  });
}

/** A save whose process recorded no answer: `answer` for each type that has none. */
export function withAnswers(save: SaveRecord, answer: Answer): SaveRecord {
  if (save.state === "answered") return save;
  return {
    ...save,
    state: "answered",
    problem: save.problem ?? (answer === "unsent" ? "not_saved" : "outcome_unknown"),
    types: save.types.map((each) => (each.unchanged ? each : { answer, ...each })),
  };
}
