import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { SaveOutcome, TypeOutcome } from "@/lib/webhooks/model/configuration";
import type { LastKnown, LastKnownContent, Learned } from "./last-known";
import { type Fidelity, type RemoteState, versionOf } from "./remote-state";
import {
  compareVersions,
  find,
  sameAddress,
  sameVersion,
  type WebhookVersion,
  type WebhookVersions,
} from "@/lib/webhooks/model/webhook-version";
import { type WebhookType, webhookTypes } from "@/lib/webhooks/model/types";

/**
 * What one fetch of the remote state proves: how saves ended, who made what changed, and whether the list can be believed.
 * Pure: its caller stores the result. docs/decisions/what-proves-a-save.md says why each rule is as it is.
 */

/** The service's answer to the write. `none`: no byte of it left. `unclear`: 5xx, a redirect, cut, or nothing. */
export type Answer = "none" | "acknowledged" | "refused" | "unclear";

export type TypeResult = {
  type: WebhookType;
  outcome: TypeOutcome;
  /** The address is confirmed; the service does not show the value. */
  authorization?: "not_shown" | undefined;
  /** The service showed the address, with another value than was sent. */
  otherValue?: true | undefined;
  /**
   * The service shows what was asked for, and did not acknowledge the write: since when, on the steady clock. A later
   * fetch confirms it.
   */
  seenAt?: number | undefined;
  /** A later fetch may still change it. */
  open: boolean;
};

/** A save that has not been closed. */
export type FollowedSave = {
  id: string;
  before: WebhookVersions;
  desired: WebhookVersions;
  /** `ended`: nobody waits for it any more, and it may still explain what the next fetch shows. */
  state: "recorded" | "sent" | "open" | "ended";
  /** null where a crash lost it: then nothing is known of it. */
  answers: { type: WebhookType; answer: Answer }[] | null;
  /** The last recorded results; null before there are any. */
  results: TypeResult[] | null;
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
  /** Types of a save that begins now: it found what it found, and closes what was to come before it. */
  replacing: readonly WebhookType[];
  /** How long a save is followed. */
  followMs: number;
  /** How long after the first sighting a fetch confirms an effect that the service did not acknowledge. */
  confirmMs: number;
};

export type Reconciled<Save> = {
  content: LastKnownContent;
  /** Changes that no save explains. */
  outside: WebhookChange[];
  /** What a save had set and is shown again, after something else was. */
  again: WebhookChange[];
  /** The state of each save, the own one last. */
  resolutions: Resolution<Save>[];
  learned: Learned | null;
  fidelity: Fidelity;
};

export function reconcile<Save extends FollowedSave>(given: Given<Save>): Reconciled<Save> {
  const { known, requestedAt, remote, saves, own, followMs } = given;
  const all = own ? [...saves, own] : [...saves];
  const learned = learnFidelityFrom(given, all);
  const fidelity = learned?.fidelity ?? known.fidelity;
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
    const past = (confirmed?.past?.[type] ?? []).filter(({ at }) => requestedAt - at < followMs);
    const keep = (state: WebhookVersion | undefined, older = past) => {
      if (state !== undefined) nowKnown[type] = state;
      if (older.length > 0) nowPast[type] = older;
    };
    const shown = shownState(remote, type, fidelity);
    if (shown === "unreadable") {
      keep(was);
      continue;
    }
    if (was === undefined || compareVersions(was, shown) !== "different") {
      moves.set(type, { kind: "none" });
      // Nobody knows what was before the first fetch: a lagging replica may still show nothing.
      keep(shown, was === undefined && shown ? [{ state: null, at: requestedAt }] : past);
      continue;
    }
    const superseded = [...past, { state: was, at: requestedAt }].slice(-maxPast);
    const found = authorOf(given, fidelity, all, type, shown);
    if (found && found.match !== "other_value" && !isConfirmed(given, found.save, type)) {
      moves.set(type, { kind: "seen", author: found.save });
      keep(was);
      continue;
    }
    if (found) {
      moves.set(type, { kind: "explained", author: found.save });
      const named = isCredited(found, type) ? found.save.names : null;
      lastChanges[type] = named && { at: databaseTime(), ...named };
      keep(shown, superseded);
      continue;
    }
    const returned = confirmed?.returned?.[type];
    const since =
      returned && compareVersions(returned.state, shown) !== "different"
        ? returned.at
        : requestedAt;
    const isOlder = past.some(({ state }) => compareVersions(state, shown) !== "different");
    // A lagging replica of the service's shows an earlier state. Only if it lasts, it is so again.
    if (isOlder && requestedAt - since < followMs / 10) {
      moves.set(type, { kind: "returned" });
      nowReturned[type] = { state: shown, at: since };
      keep(was);
      continue;
    }
    moves.set(type, { kind: "outside" });
    const at = databaseTime();
    const setBy = lastChanges[type];
    const pending = confirmed?.outside?.[type];
    const savedBy = setBy && setBy.by !== null ? { savedBy: setBy } : {};
    nowOutside[type] = { ...(pending ?? { before: was, since: at, ...savedBy }), after: shown, at };
    const change: WebhookChange = { type, outcome: "seen", before: was, after: shown };
    // Somebody restored what a save had set, or the state in between came from a lagging replica.
    if (pending?.savedBy && compareVersions(pending.before, shown) !== "different") {
      lastChanges[type] = pending.savedBy;
      again.push(change);
    } else {
      lastChanges[type] = { at, by: null };
      outside.push(change);
    }
    keep(shown, superseded);
  }

  // Until somebody acknowledges it, or saves something else: a person who does has seen it.
  for (const type of webhookTypes) {
    const pending = confirmed?.outside?.[type];
    if (pending && !nowOutside[type] && moves.get(type)?.kind !== "explained")
      nowOutside[type] = pending;
  }
  const resolutions = all.map((save) => {
    const results = save.desired.map(({ type }) =>
      judge(given, fidelity, save, type, moves.get(type)),
    );
    return { save, results, outcome: outcomeOf(results.map(({ outcome }) => outcome)) };
  });
  const content = {
    remote,
    lastChanges,
    known: nowKnown,
    past: nowPast,
    returned: nowReturned,
    outside: nowOutside,
    ...(confirmed?.gathered && { gathered: confirmed.gathered }),
  };
  return { content, outside, again, resolutions, learned, fidelity };
}

/** The changes of a type since the last fetch. */
type Move<Save> =
  | { kind: "none" | "outside" }
  | { kind: "explained"; author: Save }
  /** The same, but the service did not acknowledge the write, and may roll it back: to be confirmed. */
  | { kind: "seen"; author: Save }
  /** Older again: perhaps a lagging replica. */
  | { kind: "returned" };

/** For each type; enough for every save that fits into the time that replicas may lag. */
const maxPast = 8;

/** What the answer alone says of a save. */
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

/** undefined where nothing is known of it. */
function knownState(
  { confirmed, fidelity }: LastKnown,
  type: WebhookType,
): WebhookVersion | undefined {
  if (!confirmed) return undefined;
  if (confirmed.known) return confirmed.known[type];
  const shown = shownState(confirmed.remote, type, fidelity);
  return shown === "unreadable" ? undefined : shown;
}

/** Two items of one type, or a "not found" worded otherwise than in the contract, prove nothing. */
function shownState(
  { webhooks, unclear }: RemoteState,
  type: WebhookType,
  fidelity: Fidelity,
): WebhookVersion | "unreadable" {
  const webhook = webhooks[type];
  return unclear || webhook?.duplicate ? "unreadable" : versionOf(webhook, fidelity);
}

export function answerOf(save: FollowedSave, type: WebhookType): Answer {
  return save.answers?.find((entry) => entry.type === type)?.answer ?? "unclear";
}

type Found<Save> = { save: Save; match: Match };

/**
 * The save that a change comes from, at most one: of those that were open and fit what is shown, one that fits in full,
 * else the newest. One that was overtaken may have been late.
 */
function authorOf<Save extends FollowedSave>(
  { remote }: Given<Save>,
  fidelity: Fidelity,
  all: readonly Save[],
  type: WebhookType,
  shown: WebhookVersion,
): Found<Save> | undefined {
  const raw = remote.webhooks[type]?.fingerprint;
  const rank = ({ match, save }: Found<Save>) =>
    (match === "desired" ? 0 : 2) + (save.state === "ended" ? 1 : 0);
  return all
    .filter((save) => isAttributable(save, type))
    .map((save) => ({ save, match: matchOf(save, type, { shown, raw, fidelity }) }))
    .filter(({ match, save }) => match === "desired" || (match !== "none" && isMoved(save, type)))
    .reverse()
    .sort((a, b) => rank(a) - rank(b))[0];
}

/**
 * Whether the save's author is named for the change. Where address and value do not both match, nobody is: another
 * client may have set them. A value that cannot be compared counts as matching, unless the service refused the save.
 */
function isCredited({ save, match }: Found<FollowedSave>, type: WebhookType): boolean {
  return match === "desired" || (match === "address" && answerOf(save, type) !== "refused");
}

/** An effect that the service acknowledged, or that it shows for some time: it may roll back what it did not. */
function isConfirmed<Save extends FollowedSave>(
  { requestedAt, confirmMs }: Given<Save>,
  save: Save,
  type: WebhookType,
): boolean {
  const seenAt = resultOf(save, type)?.seenAt ?? requestedAt;
  return answerOf(save, type) === "acknowledged" || requestedAt - seenAt >= confirmMs;
}

function resultOf(save: FollowedSave, type: WebhookType): TypeResult | undefined {
  return save.results?.find((each) => each.type === type);
}

function isMoved({ before, desired }: FollowedSave, type: WebhookType): boolean {
  return !sameAddress(find(before, type), find(desired, type));
}

/**
 * Whether a change may still be this save's: it is open, was overtaken and perhaps only late, or ended while the
 * service could not be read.
 */
function isAttributable(save: FollowedSave, type: WebhookType): boolean {
  const [before, desired] = [find(save.before, type), find(save.desired, type)];
  if (!desired || sameVersion(before, desired)) return false;
  if (save.state === "recorded" || answerOf(save, type) === "none") return false;
  const result = resultOf(save, type);
  if (!result || result.open || result.outcome === "overtaken") return true;
  const isNotShown = ["unknown", "accepted", "not_saved"].includes(result.outcome);
  return save.state === "ended" && isNotShown && !result.authorization;
}

/** The outcome of a save for one type, given this fetch. */
function judge<Save extends FollowedSave>(
  given: Given<Save>,
  fidelity: Fidelity,
  save: Save,
  type: WebhookType,
  move: Move<Save> | undefined,
): TypeResult {
  const { remote, requestedAt, own, replacing, followMs } = given;
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
  const waiting: TypeResult = { type, outcome: answered[answer], open: true };
  const shown = shownState(remote, type, fidelity);
  if (shown === "unreadable") {
    if (earlier?.otherValue) return { ...earlier, open: !isOver };
    return isOver ? ended(answer === "refused" ? "not_saved" : "unknown") : waiting;
  }

  const raw = remote.webhooks[type]?.fingerprint;
  const match = matchOf(save, type, { shown, raw, fidelity });
  const isReplaced = save !== own && replacing.includes(type);
  if (match === "desired" || match === "address") {
    if (!isConfirmed(given, save, type)) {
      if (isReplaced) return ended("overtaken");
      return { type, outcome: "unknown", seenAt: earlier?.seenAt ?? requestedAt, open: true };
    }
    if (match === "desired") return ended(before ? "overwritten" : "created");
    const outcome = answer === "acknowledged" ? "accepted" : "unknown";
    return { type, outcome, authorization: "not_shown", open: false };
  }
  const isOld =
    move?.kind === "returned" ||
    compareVersions(before, shown) !== "different" ||
    (save === own && move?.kind === "none");
  if (isOld) {
    if (isReplaced && answer !== "refused") return ended("overtaken");
    if (!isOver) return waiting;
    if (answer === "refused") return ended("not_saved");
    // Where the address was to change and did not, the list need not be believed about values.
    return ended(isMoved(save, type) || fidelity === "proven" ? "not_applied" : "unknown");
  }
  if (match === "other_value")
    return { type, outcome: "unknown", otherValue: true, open: save === own || !isOver };
  if (save === own) return { type, outcome: "unknown", open: true };
  if (answer === "refused") return { type, outcome: "not_saved", open: !isOver };
  return ended("overtaken");
}

/**
 * How what is shown fits what a save asked for. `address`: the value cannot be compared. `other_value`: the save moved
 * the type to this address, which nobody else asked for, and the value is another one.
 */
type Match = "desired" | "address" | "other_value" | "none";

type ShownValue = {
  shown: WebhookVersion;
  raw: string | null | undefined;
  fidelity: Fidelity;
};

function matchOf(
  save: FollowedSave,
  type: WebhookType,
  { shown, raw, fidelity }: ShownValue,
): Match {
  const before = find(save.before, type);
  const desired = find(save.desired, type);
  if (!desired || !shown || !sameAddress(desired, shown)) return "none";
  if (desired.fingerprint !== null && raw === desired.fingerprint) return "desired";
  const isRefused = answerOf(save, type) === "refused";
  // An absent value proves that none is set where none can have been set, or where values are shown.
  const isAbsent = desired.fingerprint === null && raw === null && !shown.conflict;
  if (isAbsent && (fidelity === "proven" || !before || before.fingerprint !== null))
    return "desired";
  if (shown.conflict || shown.hidden || isAbsent)
    return isRefused && !isMoved(save, type) ? "none" : "address";
  // A save that was refused did not set another value than it asked for.
  return isMoved(save, type) && !(isRefused && fidelity === "proven") ? "other_value" : "none";
}

/** What this fetch proves about the list itself: by a value that was written, or by one that looks masked. */
function learnFidelityFrom<Save extends FollowedSave>(
  { known, remote, own, followMs }: Given<Save>,
  all: readonly Save[],
): Learned | null {
  const newestFirst = [...all].reverse().sort((a, b) => Number(b === own) - Number(a === own));
  for (const save of newestFirst) {
    if (save.state === "recorded" || save.state === "ended") continue;
    for (const { type, state: desired } of save.desired) {
      const item = remote.webhooks[type];
      const before = find(save.before, type);
      const answer = answerOf(save, type);
      if (!desired?.fingerprint || sameVersion(before, desired) || answer === "none") continue;
      if (!item || item.duplicate || item.authorizationConflict) continue;
      const { callbackUrl, fingerprint } = item;
      if (!sameAddress(desired, { callbackUrl, fingerprint })) continue;
      const learned = (fidelity: Learned["fidelity"]): Learned | null =>
        known.fidelity === fidelity ? null : { fidelity, saveId: save.id };
      if (fingerprint === desired.fingerprint) return learned("proven");
      const isOlder = (known.confirmed?.past?.[type] ?? []).some(
        ({ state }) => state?.fingerprint === fingerprint && sameAddress(state, desired),
      );
      if (isOlder || answer === "refused") continue;
      if (!sameAddress(before, desired)) return learned("refuted");
      if (answer !== "acknowledged") continue;
      const isOld = fingerprint === (before?.fingerprint ?? null) && !before?.hidden;
      if (!isOld || (known.fidelity === "unknown" && save.sinceSentMs >= followMs))
        return learned("refuted");
    }
  }
  const looksMasked = webhookTypes.some((type) => remote.webhooks[type]?.masked);
  return looksMasked && known.fidelity === "unknown" ? { fidelity: "refuted", saveId: null } : null;
}

/** One outcome for the whole save. A type that had nothing to change does not count, unless there is no other. */
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
