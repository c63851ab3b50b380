import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { SaveOutcome, TypeOutcome } from "@/lib/webhooks/model/configuration";
import type { LastKnown, LastKnownContent } from "./last-known";
import { type RemoteState, versionOf } from "./remote-state";
import {
  compareVersions,
  find,
  sameAddress,
  sameVersion,
  type ShownValue,
  type WebhookVersion,
  type WebhookVersions,
} from "@/lib/webhooks/model/webhook-version";
import { type WebhookType, webhookTypes } from "@/lib/platform/payment-service/contract/terms";

/**
 * What one fetch of the remote state proves: how saves ended, and who made each change. Pure: its caller stores the
 * result. docs/decisions/what-proves-a-save.md says why each rule holds; reconcile.test.ts has a property for each.
 *
 * | the service shows of a type                     | then                                                         |
 * | ----------------------------------------------- | ------------------------------------------------------------ |
 * | nothing readable                                | what is known stays, and no save ends before its time        |
 * | what is known                                   | nothing is new                                               |
 * | what a save asked for, and acknowledged it      | it is saved, by its author; of several saves, by the newest  |
 * | what a save asked for, and did not acknowledge  | provisional, by nobody, until it has lasted for `confirmMs`  |
 * | an older state, or no registration              | maybe a lagging replica: counts once it has lasted           |
 * | anything else                                   | changed outside Gancho                                       |
 *
 * A save is not saved if no byte of it left. For any other save, the state before it proves nothing until the save's
 * time is over: it stays open, and is accepted, unknown or not saved, as the service answered. Two looks after that time
 * end it as not applied.
 */

/** The service's answer to the write. `none`: no byte of it left. `unclear`: 5xx, a redirect, cut, or nothing. */
export type Answer = "none" | "acknowledged" | "refused" | "unclear";

export type TypeResult = {
  type: WebhookType;
  outcome: TypeOutcome;
  /** The address is confirmed; the list does not show whether the value is. */
  authorization?: "not_shown" | undefined;
  /** The service showed the address with another value than was sent, or with none. */
  otherValue?: true | undefined;
  /**
   * Since when, on the steady clock, the service shows what was asked for without having acknowledged the write. A
   * later fetch confirms it.
   */
  seenAt?: number | undefined;
  /** A fetch after the save's time did not show it either. */
  lookedAfterTime?: true | undefined;
  /** A later fetch may still change it. */
  open: boolean;
};

/** A save that has not been closed. */
export type FollowedSave = {
  id: string;
  before: WebhookVersions;
  desired: WebhookVersions;
  /** `ended`: it was overtaken, but may still explain what a fetch within its time, or the first after it, shows. */
  state: "recorded" | "sent" | "open" | "ended";
  /** null if a crash lost them: the answer is then unknown. */
  answers: { type: WebhookType; answer: Answer }[] | null;
  /** The last recorded results; null before there are any. */
  results: TypeResult[] | null;
  /** By the time of day, milliseconds. */
  createdAt: number;
  /** At least so many milliseconds have passed since something may have left. */
  sinceSentMs: number;
  /** The author of its changes. */
  names: { by: string; approvedBy?: string };
};

export type Resolution<Save> = { save: Save; results: TypeResult[]; outcome: SaveOutcome };

type Given<Save> = {
  known: LastKnown;
  /** The steady clock when the service was read. */
  requestedAt: number;
  remote: RemoteState;
  /** Oldest first. */
  saves: readonly Save[];
  /** The caller's own, which was just sent; it is not among the others. */
  own: Save | null;
  /** How long after it was sent a save's time is over. */
  followMs: number;
  /** How long after the first sighting a fetch confirms an effect that the service did not acknowledge. */
  confirmMs: number;
};

export type Reconciled<Save> = {
  content: LastKnownContent;
  /** Changes that no save explains. */
  outside: WebhookChange[];
  /** What a save had set and the service shows again, after another state. */
  again: WebhookChange[];
  /** The state of each save, the own one last. */
  resolutions: Resolution<Save>[];
};

export function reconcile<Save extends FollowedSave>(given: Given<Save>): Reconciled<Save> {
  const { known, requestedAt, remote, saves, own, followMs } = given;
  const all = own ? [...saves, own] : [...saves];
  const { confirmed } = known;

  const nowKnown: NonNullable<LastKnownContent["known"]> = {};
  const nowPast: NonNullable<LastKnownContent["past"]> = {};
  const nowReturned: NonNullable<LastKnownContent["returned"]> = {};
  const lastChanges = { ...confirmed?.lastChanges };
  const nowOutside: NonNullable<LastKnownContent["outside"]> = {};
  const outside: WebhookChange[] = [];
  const again: WebhookChange[] = [];
  const moves = new Map<WebhookType, Move<Save>>();
  for (const type of webhookTypes) {
    const was = knownState(known, type);
    const returned = confirmed?.returned?.[type];
    // An older state that is shown again stays known until that has lasted.
    const isAgain = (state: WebhookVersion) =>
      returned !== undefined && compareVersions(returned.state, state) !== "different";
    const past = (confirmed?.past?.[type] ?? [])
      .map((each) => ({ ...each, at: Math.min(each.at, requestedAt) }))
      .filter(({ at, state }) => requestedAt - at < followMs || isAgain(state));
    const keep = (state: WebhookVersion | undefined, older = past) => {
      if (state !== undefined) nowKnown[type] = state;
      if (older.length > 0) nowPast[type] = older;
    };
    const shown = shownState(remote, type);
    if (shown === "unreadable") {
      keep(was);
      continue;
    }
    const since =
      returned && compareVersions(returned.state, shown) !== "different"
        ? Math.min(returned.at, requestedAt)
        : requestedAt;
    const isBrief = requestedAt - since < followMs / 10;
    const found = authorOf(given, all, type, shown);
    // What is shown cannot be compared with what is known, but may be exactly what a save asked for.
    const isAsAsked = found?.match === "desired" && was !== undefined && !sameVersion(was, shown);
    if (was === undefined || (compareVersions(was, shown) !== "different" && !isAsAsked)) {
      if (was !== undefined && isBrief && isSeenNoMore(given, type, shown)) {
        moves.set(type, { kind: "returned" });
        nowReturned[type] = { state: shown, at: since };
        keep(was);
        continue;
      }
      moves.set(type, { kind: "none" });
      // A placeholder takes nothing from what is known of the value.
      const isHidden = was !== undefined && !sameVersion(was, shown);
      keep(isHidden && shown?.hidden === "masked" ? was : shown);
      continue;
    }
    const superseded = withState(past, was, requestedAt);
    if (found && found.match !== "other_value" && !isConfirmed(given, found.save, type)) {
      moves.set(type, { kind: "seen", author: found.save });
      keep(was);
      continue;
    }
    if (found) {
      moves.set(type, { kind: "explained", author: found.save });
      const named = isCredited(found, type, shown) ? found.save.names : null;
      const setBy = lastChanges[type];
      lastChanges[type] = named && { at: databaseTime(), ...named };
      // What is shown of an overtaken save may be its late effect, or what a lagging replica still has of it.
      const isLate = resultOf(found.save, type)?.outcome === "overtaken";
      keep(shown, isLate && setBy?.by ? withState(past, was, requestedAt, setBy) : superseded);
      continue;
    }
    const pending = confirmed?.outside?.[type];
    const written = confirmed?.written?.[type];
    const isWritten = typeof written?.value === "string" && shown?.fingerprint === written.value;
    if (isWritten && !pending && !shown.conflict && sameAddress(was, shown)) {
      moves.set(type, { kind: "none" });
      keep(shown, superseded);
      continue;
    }
    // A lagging service may also begin to show values in another way, so another address alone counts.
    const isOlder = past.some(({ state }) =>
      sameAddress(was, shown)
        ? compareVersions(state, shown) !== "different"
        : sameAddress(state, shown),
    );
    // A lagging replica may show an earlier state. The contract has no way to delete a webhook, so an answer without
    // one may only omit it. Either counts once it has lasted.
    if ((isOlder || shown === null) && isBrief) {
      moves.set(type, { kind: "returned" });
      nowReturned[type] = { state: shown, at: since };
      keep(was);
      continue;
    }
    moves.set(type, { kind: "outside" });
    const at = databaseTime();
    const setBy = lastChanges[type];
    const savedBy = setBy && setBy.by !== null ? { savedBy: setBy } : {};
    const change: WebhookChange = { type, outcome: "seen", before: was, after: shown };
    // Somebody restored what a save had set, or a lagging replica had shown the state in between.
    const isShown = (state: WebhookVersion) => compareVersions(state, shown) !== "different";
    const restored =
      pending?.savedBy && isShown(pending.before)
        ? pending.savedBy
        : past.find(({ state }) => isShown(state))?.savedBy;
    if (pending || !restored)
      nowOutside[type] = {
        ...(pending ?? { before: was, since: at, ...savedBy }),
        after: shown,
        at,
      };
    if (restored) {
      lastChanges[type] = restored;
      again.push(change);
    } else {
      lastChanges[type] = { at, by: null, ...(sameAddress(was, shown) && { onlyValue: true }) };
      outside.push(change);
    }
    keep(shown, superseded);
  }

  // It stays until a person acknowledges it, or saves something else and so has seen it.
  for (const type of webhookTypes) {
    const pending = confirmed?.outside?.[type];
    if (pending && !nowOutside[type] && moves.get(type)?.kind !== "explained")
      nowOutside[type] = pending;
  }
  const resolutions = all.map((save) => {
    const results = save.desired.map(({ type }) => judge(given, save, type, moves.get(type)));
    return { save, results, outcome: outcomeOf(results.map(({ outcome }) => outcome)) };
  });
  const lastAddress = { ...confirmed?.lastAddress };
  for (const type of webhookTypes) {
    const address = nowKnown[type]?.callbackUrl;
    if (address !== undefined) lastAddress[type] = address;
  }
  // A lagging replica may still show what a save asked for after another state replaced it.
  for (const { save, results } of resolutions)
    for (const { type, outcome, otherValue } of results)
      if (outcome === "overtaken" || otherValue)
        nowPast[type] = withState(nowPast[type], find(save.desired, type), requestedAt);
  const content = {
    remote,
    lastChanges,
    known: nowKnown,
    past: nowPast,
    returned: nowReturned,
    outside: nowOutside,
    written: writtenAfter(given, resolutions, moves),
    lastAddress,
    ...(confirmed?.gathered && { gathered: confirmed.gathered }),
  };
  return { content, outside, again, resolutions };
}

/** The changes of a type since the last fetch. */
type Move<Save> =
  | { kind: "none" | "outside" }
  | { kind: "explained"; author: Save }
  /** The same, but unconfirmed: the service did not acknowledge the write, and may roll it back. */
  | { kind: "seen"; author: Save }
  /** An older state, or none, perhaps from a lagging replica. */
  | { kind: "returned" };

type Past = NonNullable<NonNullable<LastKnownContent["past"]>[WebhookType]>;

/** For each type. Enough for the saves that fit into the time for which replicas may lag. */
const maxPast = 8;

function withState(
  past: Past = [],
  state: WebhookVersion,
  at: number,
  savedBy?: Past[number]["savedBy"],
): Past {
  const others = past.filter((each) => !sameVersion(each.state, state));
  return [...others, { state, at, ...(savedBy && { savedBy }) }].slice(-maxPast);
}

/** What the service's answer alone says of a save. */
const answered = { acknowledged: "accepted", refused: "not_saved", unclear: "unknown" } as const;

/** The state of a save when the service could not be read after it was sent. */
export function unconfirmedResults(save: FollowedSave): TypeResult[] {
  return save.desired.map(({ type, state: desired }) => {
    if (sameVersion(find(save.before, type), desired))
      return { type, outcome: "unchanged", open: false };
    const answer = answerOf(save, type);
    if (answer === "none") return { type, outcome: "not_saved", open: false };
    return { type, outcome: answered[answer], open: true };
  });
}

export function isOpen(results: readonly TypeResult[]): boolean {
  return results.some(({ open }) => open);
}

/** What was asked for is shown, and is to be confirmed. */
export function isSeen({ seenAt }: TypeResult): boolean {
  return seenAt !== undefined;
}

/** undefined if nothing is known of the type. */
function knownState({ confirmed }: LastKnown, type: WebhookType): WebhookVersion | undefined {
  if (!confirmed) return undefined;
  if (confirmed.known) return confirmed.known[type];
  const shown = shownState(confirmed.remote, type);
  return shown === "unreadable" ? undefined : shown;
}

/**
 * Two items of one type prove nothing, nor does a "not found" in other words than the contract's. An item without a type
 * may be of any type that is missing.
 */
function shownState(
  { webhooks, unrecognised, unclear }: RemoteState,
  type: WebhookType,
): WebhookVersion | "unreadable" {
  const webhook = webhooks[type];
  const mayBeHere = !webhook && unrecognised.some((item) => item.type === null);
  return unclear || mayBeHere || webhook?.duplicate ? "unreadable" : versionOf(webhook);
}

export function answerOf(save: FollowedSave, type: WebhookType): Answer {
  return save.answers?.find((entry) => entry.type === type)?.answer ?? "unclear";
}

type Found<Save> = { save: Save; match: Match };

/**
 * The one save, if any, that explains a change: of the open or overtaken ones that fit what is shown, one that fits in
 * full, else the newest. Of those that fit in full, one that the service acknowledged, else the first that was seen, else
 * the newest. An overtaken save may only have been late.
 */
function authorOf<Save extends FollowedSave>(
  { known, remote, requestedAt }: Given<Save>,
  all: readonly Save[],
  type: WebhookType,
  shown: WebhookVersion,
): Found<Save> | undefined {
  const raw = remote.webhooks[type]?.fingerprint;
  const isElsewhere = !sameAddress(knownState(known, type) ?? null, shown);
  const rank = ({ match, save }: Found<Save>) =>
    (match === "desired" ? 0 : 2) + (resultOf(save, type)?.open === false ? 1 : 0);
  const since = ({ match, save }: Found<Save>) => {
    if (match !== "desired" || answerOf(save, type) === "acknowledged") return 0;
    return seenSince(save, type, requestedAt);
  };
  const foundOf = (save: Save): Found<Save>[] => {
    const match = matchOf(save, type, { shown, raw });
    if (match === "none")
      return isElsewhere && mayPutBack(save, type, shown) ? [{ save, match: "other_value" }] : [];
    return match === "desired" || mayCause(save, type) ? [{ save, match }] : [];
  };
  return all
    .filter((save) => isAttributable(save, type))
    .flatMap(foundOf)
    .reverse()
    .sort((a, b) => rank(a) - rank(b) || since(a) - since(b))[0];
}

/** It asked for this address without a value. The service may have kept the value of a save in between. */
function mayPutBack(save: FollowedSave, type: WebhookType, shown: WebhookVersion): boolean {
  const [before, desired] = [find(save.before, type), find(save.desired, type)];
  const isAsked = desired?.fingerprint === null && sameAddress(desired, shown);
  const isOld = compareVersions(before, shown) !== "different";
  return isAsked && !isOld && answerOf(save, type) !== "refused";
}

/** It moved the type to an address that nobody else asked for, or set a value that the list may show in another way. */
function mayCause(save: FollowedSave, type: WebhookType): boolean {
  return isMoved(save, type) || showedBefore(save, type) !== "value";
}

/**
 * Whether the change is credited to the save's author. Another client may have set it unless the list shows both the
 * address and the value that the save asked for. If the service acknowledged the save, a hidden value counts too;
 * another value only if the list is known to show values in another way.
 */
function isCredited(
  { save, match }: Found<FollowedSave>,
  type: WebhookType,
  shown: WebhookVersion,
): boolean {
  const isAcknowledged = answerOf(save, type) === "acknowledged";
  if (match === "desired") return isAcknowledged || find(save.desired, type)?.fingerprint !== null;
  const isVisible = typeof shown?.fingerprint === "string" && !shown.conflict;
  const mayBeShownSo = !isVisible || showedBefore(save, type) === "other";
  return match === "address" && isAcknowledged && mayBeShownSo;
}

/** The service acknowledged it, or has shown it for some time: it may roll back what it did not acknowledge. */
function isConfirmed<Save extends FollowedSave>(
  { requestedAt, confirmMs }: Given<Save>,
  save: Save,
  type: WebhookType,
): boolean {
  const lastedMs = requestedAt - seenSince(save, type, requestedAt);
  return answerOf(save, type) === "acknowledged" || lastedMs >= confirmMs;
}

/** Since when its effect is seen, or from now on. A time ahead of the clock is from before the clock began again. */
function seenSince(save: FollowedSave, type: WebhookType, requestedAt: number): number {
  return Math.min(resultOf(save, type)?.seenAt ?? requestedAt, requestedAt);
}

function resultOf(save: FollowedSave, type: WebhookType): TypeResult | undefined {
  return save.results?.find((each) => each.type === type);
}

function isMoved({ before, desired }: FollowedSave, type: WebhookType): boolean {
  return !sameAddress(find(before, type), find(desired, type));
}

/** Whether an unconfirmed effect of a save is no longer shown: it was rolled back, or a replica lags. */
function isSeenNoMore<Save extends FollowedSave>(
  { remote, saves }: Given<Save>,
  type: WebhookType,
  shown: WebhookVersion,
): boolean {
  const raw = remote.webhooks[type]?.fingerprint;
  const seen = saves.filter((save) => resultOf(save, type)?.seenAt !== undefined);
  return seen.some((save) => matchOf(save, type, { shown, raw }) === "none");
}

/**
 * Whether this save may still explain a change: it is open, or was overtaken and may only be late; or one type is not
 * applied and the other is still followed.
 */
function isAttributable(save: FollowedSave, type: WebhookType): boolean {
  const [before, desired] = [find(save.before, type), find(save.desired, type)];
  if (!desired || sameVersion(before, desired)) return false;
  if (save.state === "recorded" || answerOf(save, type) === "none") return false;
  const result = resultOf(save, type);
  return !result || result.open || ["overtaken", "not_applied"].includes(result.outcome);
}

/** What the list showed, when the save began, of the value that Gancho had written last. */
function showedBefore({ before }: FollowedSave, type: WebhookType): ShownValue | undefined {
  return before.find((each) => each.type === type)?.known;
}

/**
 * The value that Gancho wrote last for each type. A write counts once it was sent and not refused, or once its effect
 * is seen. A removal counts as seen only if the list proves it.
 */
function writtenAfter<Save extends FollowedSave>(
  { known: { confirmed }, own }: Given<Save>,
  resolutions: readonly Resolution<Save>[],
  moves: ReadonlyMap<WebhookType, Move<Save>>,
): LastKnownContent["written"] {
  const written: NonNullable<LastKnownContent["written"]> = {};
  for (const type of webhookTypes) {
    const before = confirmed?.written?.[type];
    // The other client may have set a value that the list does not show.
    const isDoubtful = moves.get(type)?.kind === "outside" && before?.value === null;
    if (before && !isDoubtful) written[type] = before;
  }
  for (const { save, results } of resolutions)
    for (const { type, outcome, authorization } of results) {
      const desired = find(save.desired, type);
      if (!desired || save.state === "recorded" || outcome === "unchanged") continue;
      const move = moves.get(type);
      const isShown = (outcome === "created" || outcome === "overwritten") && !authorization;
      const isCause = isShown && move?.kind === "explained" && move.author === save;
      const at = written[type]?.at ?? 0;
      const isLast = save === own || (save.state !== "ended" && save.createdAt >= at);
      if (!isCause && !(mayHaveTakenEffect(answerOf(save, type)) && isLast)) continue;
      written[type] = {
        value: desired.fingerprint,
        at: save === own ? save.createdAt : Math.max(save.createdAt, at),
        ...(isShown && { seen: true }),
      };
    }
  return written;
}

/** The later saves that may have changed this type. */
function sentAfter<Save extends FollowedSave>(
  { saves, own }: Given<Save>,
  save: Save,
  type: WebhookType,
): Save[] {
  const all = own ? [...saves, own] : saves;
  return all.slice(all.indexOf(save) + 1).filter((later) => {
    const isSent = later.state !== "recorded" && mayHaveTakenEffect(answerOf(later, type));
    return isSent && !sameVersion(find(later.before, type), find(later.desired, type));
  });
}

/** Whether an earlier save, which asked for what is shown, may have taken effect after this one. */
function mayBeUndone<Save extends FollowedSave>(
  { saves }: Given<Save>,
  save: Save,
  type: WebhookType,
  state: ShownState,
): boolean {
  return saves
    .slice(0, saves.indexOf(save))
    .some((other) => isAttributable(other, type) && matchOf(other, type, state) !== "none");
}

function mayHaveTakenEffect(answer: Answer): boolean {
  return answer === "acknowledged" || answer === "unclear";
}

/** The outcome of a save for one type, given this fetch. */
function judge<Save extends FollowedSave>(
  given: Given<Save>,
  save: Save,
  type: WebhookType,
  move: Move<Save> | undefined,
): TypeResult {
  const { remote, requestedAt, own, followMs } = given;
  const before = find(save.before, type);
  const desired = find(save.desired, type);
  const ended = (outcome: TypeOutcome): TypeResult => ({ type, outcome, open: false });
  if (sameVersion(before, desired)) return ended("unchanged");
  if (save.state === "recorded") return ended("not_saved");
  const earlier = resultOf(save, type);
  const isAuthor = move && "author" in move && move.author === save;
  if (earlier && !earlier.open && !isAuthor) return earlier;
  const answer = answerOf(save, type);
  if (answer === "none") return ended("not_saved");

  const isOver = save.sinceSentMs >= followMs;
  const waiting: TypeResult = earlier?.otherValue
    ? earlier
    : { type, outcome: answered[answer], open: true };
  const shown = shownState(remote, type);
  if (shown === "unreadable") {
    if (!isOver) return waiting;
    if (earlier?.otherValue) return { ...earlier, open: false };
    return ended(answer === "refused" ? "not_saved" : "unknown");
  }

  const raw = remote.webhooks[type]?.fingerprint;
  const match = matchOf(save, type, { shown, raw });
  const laterSaves = sentAfter(given, save, type);
  const isReplaced = laterSaves.length > 0;
  if (match === "desired" || match === "address") {
    const askedSince = laterSaves.filter((later) =>
      sameVersion(find(later.desired, type), desired),
    );
    // Nothing shows that this one took effect, or one after it surely did.
    const isDoubtful =
      earlier?.seenAt === undefined ||
      askedSince.some((later) => answerOf(later, type) === "acknowledged");
    if (!isAuthor && askedSince.length > 0 && isDoubtful) return ended("overtaken");
    // Another save asked for the same, and its effect is confirmed.
    const isExplained = move?.kind === "explained" && !isAuthor;
    const isThere = isExplained && match === "desired" && answer === "unclear";
    if (!isThere && !isConfirmed(given, save, type)) {
      if (isExplained) return ended(answer === "refused" ? "not_saved" : "overtaken");
      const seenAt = seenSince(save, type, requestedAt);
      return { type, outcome: "unknown", seenAt, open: true };
    }
    if (match === "desired") return ended(before ? "overwritten" : "created");
    const outcome = answer === "acknowledged" ? "accepted" : "unknown";
    const isOther = shown?.fingerprint && !shown.conflict ? { otherValue: true as const } : {};
    return { type, outcome, authorization: "not_shown", ...isOther, open: false };
  }
  // A state that may come from a lagging replica counts only once it has lasted. Only a later save ends this one sooner,
  // and only within its time, in which this one may still explain what is shown.
  const isOvertaken = isReplaced && !isOver && earlier?.seenAt === undefined;
  if (move?.kind === "returned" && !isOvertaken) return (save !== own && earlier) || waiting;
  const isOld =
    compareVersions(before, shown) !== "different" || (save === own && move?.kind === "none");
  if (isOld) {
    // A single look may have met a lagging replica.
    const isLastLook = isOver && earlier?.lookedAfterTime;
    if (!isLastLook && (!isReplaced || answer === "refused"))
      return isOver ? { ...waiting, lookedAfterTime: true } : waiting;
    if (answer === "refused") return ended("not_saved");
    // If the address should have changed and did not, it does not matter how the list shows values. A list that shows
    // no value where none was written may never show one.
    const showedOne =
      typeof before?.fingerprint === "string" && showedBefore(save, type) === "value";
    const wasSeen = earlier?.otherValue === true;
    // Another write took effect after it.
    const hasValueSince = before?.hidden === "absent" && shown?.hidden === "masked";
    if (isMoved(save, type) || showedOne) {
      if (isReplaced || wasSeen || hasValueSince) return ended("overtaken");
      const isUndone = mayBeUndone(given, save, type, { shown, raw });
      return ended(isUndone ? answered[answer] : "not_applied");
    }
    return { type, outcome: answered[answer], authorization: "not_shown", open: false };
  }
  // Also if only the value was to change: the service may show it in another way from now on.
  if (match === "other_value" || (sameAddress(desired, shown) && answer !== "refused"))
    return { type, outcome: "unknown", otherValue: true, open: save === own || !isOver };
  if (save === own) return { type, outcome: "unknown", open: true };
  if (answer === "refused") return { type, outcome: "not_saved", open: !isOver };
  // A list that shows values in another way may show the state before it again once the save takes effect.
  if (!isMoved(save, type) && showedBefore(save, type) !== "value" && !isOver) return waiting;
  return ended("overtaken");
}

/**
 * How what is shown fits what a save asked for. `address`: the value cannot be compared. `other_value`: the save moved
 * the type to this address, which nobody else asked for, but the value is another one.
 */
type Match = "desired" | "address" | "other_value" | "none";

type ShownState = {
  shown: WebhookVersion;
  raw: string | null | undefined;
};

function matchOf(save: FollowedSave, type: WebhookType, { shown, raw }: ShownState): Match {
  const before = find(save.before, type);
  const desired = find(save.desired, type);
  if (!desired || !shown || !sameAddress(desired, shown)) return "none";
  if (desired.fingerprint !== null && raw === desired.fingerprint) return "desired";
  const isRefused = answerOf(save, type) === "refused";
  // An absent value proves that none is set if none can have been set, or if the list showed one before.
  const isAbsent = desired.fingerprint === null && raw === null && !shown.conflict;
  const showed = showedBefore(save, type);
  const couldShow = before ? before.hidden !== "absent" : showed === undefined;
  if (isAbsent && (showed === "none" || couldShow)) return "desired";
  if (shown.conflict || shown.hidden === "masked" || isAbsent)
    return isRefused && !isMoved(save, type) ? "none" : "address";
  // A refused save set no other value than it asked for, unless the list shows values in another way.
  if (isRefused && showed !== "other") return "none";
  if (isMoved(save, type)) return showed === "value" ? "other_value" : "address";
  // No removal makes the list show another value.
  if (desired.fingerprint === null) return "none";
  const isNone = showed === "value" || isRefused || compareVersions(before, shown) !== "different";
  return isNone ? "none" : "address";
}

/** One outcome for the whole save. An unchanged type counts only if there is no other. */
export function outcomeOf(outcomes: readonly TypeOutcome[]): SaveOutcome {
  const relevant = new Set(outcomes.filter((outcome) => outcome !== "unchanged"));
  if (relevant.size === 0) return "unchanged";
  const done = relevant.has("created") || relevant.has("overwritten");
  const failed = (["overtaken", "not_applied", "not_saved"] as const).filter((outcome) =>
    relevant.has(outcome),
  );
  if (done && relevant.has("unknown")) return "partial";
  if (relevant.has("unknown") || (relevant.has("accepted") && failed.length > 0)) return "unknown";
  if (relevant.has("accepted")) return "accepted";
  const [first] = failed;
  if (!first) return "saved";
  return done ? "partial" : first;
}
