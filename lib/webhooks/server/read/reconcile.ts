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
  authorization?: "not_shown";
  /** The service showed the address, with another value than was sent. */
  otherValue?: true;
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
    const author = authorOf(all, own, type, shown);
    if (author) {
      moves.set(type, { kind: "explained", author });
      lastChanges[type] = { at: Date.now(), ...author.names };
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
    const at = Date.now();
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
  /** Older again: perhaps a lagging replica. */
  | { kind: "returned" };

/** For each type; enough for every save that fits into the time that replicas may lag. */
const maxPast = 8;

/** The state of a save when the service could not be read after it was sent. */
export function unconfirmedResults(save: FollowedSave): TypeResult[] {
  return save.desired.map(({ type, state: desired }) => {
    if (sameVersion(find(save.before, type), desired))
      return { type, outcome: "unchanged", open: false };
    const answer = answerOf(save, type);
    if (answer === "none") return { type, outcome: "not_saved", open: false };
    return { type, outcome: answer === "acknowledged" ? "accepted" : "unknown", open: true };
  });
}

export function isOpen(results: readonly TypeResult[]): boolean {
  return results.some(({ open }) => open);
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

function answerOf(save: FollowedSave, type: WebhookType): Answer {
  return save.answers?.find((entry) => entry.type === type)?.answer ?? "unclear";
}

/**
 * Whose save a change is credited to: at most one, the newest that was open and wanted it. One that was overtaken may
 * have been late. A save whose address is shown with another value explains it too: nobody else wanted that address.
 */
function authorOf<Save extends FollowedSave>(
  all: readonly Save[],
  own: Save | null,
  type: WebhookType,
  shown: WebhookVersion,
): Save | undefined {
  const wanted = all.filter((save) => {
    const before = find(save.before, type);
    const desired = find(save.desired, type);
    if (!desired || sameVersion(before, desired) || save.state === "recorded") return false;
    if (answerOf(save, type) === "none") return false;
    if (!isAttributable(save, type)) return false;
    if (compareVersions(desired, shown) === "same") return true;
    return sameAddress(desired, shown) && !sameAddress(before, desired);
  });
  const isEnded = (save: Save) => (save.state === "ended" ? 1 : 0);
  return wanted.includes(own as Save)
    ? (own ?? undefined)
    : wanted.reverse().sort((a, b) => isEnded(a) - isEnded(b))[0];
}

/**
 * Whether a change may still be this save's: it is open, was overtaken and perhaps only late, or ended while the
 * service could not be read.
 */
function isAttributable(save: FollowedSave, type: WebhookType): boolean {
  const result = save.results?.find((each) => each.type === type);
  if (!result || result.open || result.outcome === "overtaken") return true;
  const isNotShown = ["unknown", "accepted", "not_saved"].includes(result.outcome);
  return save.state === "ended" && isNotShown && !result.authorization;
}

/** The outcome of a save for one type, given this fetch. */
function judge<Save extends FollowedSave>(
  { remote, own, replacing, followMs }: Given<Save>,
  fidelity: Fidelity,
  save: Save,
  type: WebhookType,
  move: Move<Save> | undefined,
): TypeResult {
  const before = find(save.before, type);
  const desired = find(save.desired, type);
  const ended = (outcome: TypeOutcome): TypeResult => ({ type, outcome, open: false });
  if (sameVersion(before, desired)) return ended("unchanged");
  if (save.state === "recorded") return ended("not_saved");
  const earlier = save.results?.find((result) => result.type === type);
  const isCredited = move?.kind === "explained" && move.author === save;
  if (earlier && !earlier.open && !isCredited) return earlier;
  const answer = answerOf(save, type);
  if (answer === "none") return ended("not_saved");

  const isOver = save.sinceSentMs >= followMs;
  const answered = { acknowledged: "accepted", refused: "not_saved", unclear: "unknown" } as const;
  const waiting: TypeResult = { type, outcome: answered[answer], open: true };
  const shown = shownState(remote, type, fidelity);
  if (shown === "unreadable") {
    if (earlier?.otherValue) return { ...earlier, open: !isOver };
    return isOver ? ended(answer === "refused" ? "not_saved" : "unknown") : waiting;
  }

  const match = matchOf({
    before,
    desired,
    shown,
    fidelity,
    raw: remote.webhooks[type]?.fingerprint,
  });
  if (match === "desired") return ended(before ? "overwritten" : "created");
  const moves = !sameAddress(before, desired);
  if (match === "address") {
    if (answer === "refused" && !moves) return ended("not_saved");
    const outcome = answer === "acknowledged" ? "accepted" : "unknown";
    return { type, outcome, authorization: "not_shown", open: false };
  }
  const isOld =
    move?.kind === "returned" ||
    compareVersions(before, shown) !== "different" ||
    (save === own && move?.kind === "none");
  if (isOld) {
    if (save !== own && replacing.includes(type) && answer !== "refused") return ended("overtaken");
    if (!isOver) return waiting;
    if (answer === "refused") return ended("not_saved");
    // Where the address was to change and did not, the list need not be believed about values.
    return ended(moves || fidelity === "proven" ? "not_applied" : "unknown");
  }
  // Nobody else wanted that address, so this is no change from outside.
  if (moves && sameAddress(desired, shown))
    return { type, outcome: "unknown", otherValue: true, open: save === own || !isOver };
  if (save === own) return { type, outcome: "unknown", open: true };
  if (answer === "refused") return { type, outcome: "not_saved", open: !isOver };
  return ended("overtaken");
}

type Compared = {
  before: WebhookVersion;
  desired: WebhookVersion;
  shown: WebhookVersion;
  fidelity: Fidelity;
  raw: string | null | undefined;
};

/** `address`: it is as desired, and the value cannot be seen. */
function matchOf({
  before,
  desired,
  shown,
  fidelity,
  raw,
}: Compared): "desired" | "address" | "other" {
  if (!desired || !shown || !sameAddress(desired, shown)) return "other";
  if (desired.fingerprint !== null && raw === desired.fingerprint) return "desired";
  if (shown.conflict) return "address";
  if (desired.fingerprint === null && raw === null) {
    // An absent value proves that none is set where none can have been set, or where values are shown.
    const isConclusive = fidelity === "proven" || !before || before.fingerprint !== null;
    return isConclusive ? "desired" : "address";
  }
  return shown.hidden ? "address" : "other";
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
