import { saveTimings } from "@/lib/platform/runtime/timings";
import {
  isSameAddress,
  isSameSpelling,
  sameAddress,
  type WebhookVersion,
} from "@/lib/webhooks/model/webhook-version";

/**
 * What one look at the service's list says of one type: which saves it shows, and whether it differs from what was shown
 * before in a way that no save here asked for. It compares and infers nothing; docs/decisions/what-was-seen.md numbers
 * the rules (R1 to R11) and says what each is for. Pure: its caller stores the result.
 */

/** A save explains looks, and a replica may lag, for so long after it was sent; milliseconds. */
export const windowMs = saveTimings.followAtMs.at(-1) ?? 0;
/** What a replica may have shown counts once it has been shown for so long; milliseconds. */
export const lastsMs = windowMs / 10;
const maxRecent = 8;

/** When a look's answer came: by the time of day, for people, and on the steady clock, to compare. Milliseconds. */
export type Moment = { at: number; steady: number };

/** A difference that no save here asked for, until somebody acknowledges it or a later save answers it (R9). */
export type Difference = {
  before: WebhookVersion;
  after: WebhookVersion;
  /** Other addresses that were told before, while it was open; the newest last. */
  earlier: readonly string[];
  /** The last look before it that counted. */
  since: number;
  /** The look that told it, or the last one that told a further difference. */
  told: Moment;
};

/** What looks have shown of one type. */
export type Observed = {
  /** By the last readable look, and since which look without another state in between; null before the first look. */
  shown: { state: WebhookVersion; since: Moment } | null;
  /** The last readable look, by the time of day. */
  lookedAt: number | null;
  /** What differences are compared with; undefined before the first look. */
  settled: WebhookVersion | undefined;
  /** States that were replaced within the last ten minutes, and when on the steady clock; the newest last. */
  recent: readonly { state: WebhookVersion; until: number }[];
  /** The last look that counted, by the time of day. */
  countedAt: number | null;
  difference: Difference | null;
  /** The digest of the value that Gancho sent last and that the service did not refuse. */
  sentValue: string | null;
  /** The list shows values: it showed a digest that Gancho had sent (R7). */
  showsValues: boolean;
};

export const nothingObserved: Observed = {
  shown: null,
  lookedAt: null,
  settled: undefined,
  recent: [],
  countedAt: null,
  difference: null,
  sentValue: null,
  showsValues: false,
};

/** What a save asked for, and what looks have shown of it since. */
export type Seen = {
  asked: NonNullable<WebhookVersion>;
  /** On the steady clock. */
  sentAt: number;
  /** The form in which news was accepted as this save's (R5, R6). */
  form?: WebhookVersion | undefined;
  /** Another save's form has replaced its own (R8). */
  old?: true | undefined;
  /** The first look after its ten minutes that counted, on the steady clock; and whether one did a minute later (R4). */
  overAt?: number | undefined;
  over?: true | undefined;
  /** The first look of the present run that showed exactly what was asked for, in any spelling; and the last one. */
  shownAt?: number | undefined;
  shownUntil?: number | undefined;
  /** The first look that showed its address, with any value. */
  addressAt?: number | undefined;
};

export type Looked<Save extends Seen> = {
  observed: Observed;
  /** In the given order. */
  saves: Save[];
  /** A difference that is news, counts, and that no save explains. */
  told: { before: WebhookVersion; after: WebhookVersion } | null;
  /** The saves that explain what is shown. */
  by: Save[];
  /** It is no news that may come from a lagging replica. */
  counts: boolean;
};

/** `saves`: of this type, as loaded after the look's answer came. */
export function look<Save extends Seen>(
  before: Observed,
  shown: WebhookVersion,
  now: Moment,
  saves: readonly Save[],
): Looked<Save> {
  const { settled, difference } = before;
  const isSameRun = before.shown !== null && isSame(before.shown.state, shown);
  const since = isSameRun && before.shown ? before.shown.since : now;
  const within = before.recent.filter(({ until }) => now.steady - until < windowMs);
  // R1, R4, R8: the saves that can explain what is shown.
  const live = saves.filter((save) => !save.old && !save.over && save.sentAt <= now.steady);

  // R3: what is new, and whether it counts.
  const isNews = settled !== undefined && !isAlike(settled, shown);
  // What alternates with the settled state for longer than a replica may lag is told once, while that is open.
  const isBack = difference !== null && !isNews && before.shown !== null && !isSameRun;
  const recent = isBack && before.shown ? withEnded(within, before.shown.state, now) : within;
  // A replica may show its value in a way that is new.
  const isRecent = (state: WebhookVersion) =>
    isAlike(state, shown) ||
    (sameAddress(state, shown) && !live.some((save) => isExact(save, shown)));
  const mayLag = shown === null || recent.some(({ state }) => isRecent(state));
  const counts = !isNews || !mayLag || now.steady - since.steady >= lastsMs;

  let by = live.filter((save) => explains(save, shown, settled));
  if (isNews && counts && by.length === 0) by = firstForms(live, shown, before);

  const seen = isNews && counts ? saves.map((save) => withForm(save, shown, by)) : [...saves];
  const isShown = (save: Seen) => isShownAs(save, shown, seen);

  const answersIt = (save: Save) =>
    difference !== null &&
    save.sentAt > difference.told.steady &&
    !isMovedTo(shown, difference) &&
    (isShown(save) || !isAt(shown, difference.after));
  const left = counts && by.some(answersIt) ? null : difference;

  const isUnexplained = isNews && counts && by.length === 0;
  // R9: that a replica showed something else in between wakes nobody a second time.
  const isStillOpen = mayLag && left !== null && isSame(left.after, shown);
  const told = isUnexplained && !isStillOpen ? { before: settled, after: shown } : null;
  return {
    observed: {
      shown: { state: shown, since },
      lookedAt: now.at,
      // R10: a placeholder takes nothing from what is settled.
      settled: counts && (isNews || !settled || !isMasked(shown)) ? shown : settled,
      // A replica may show it though another look came between.
      recent: settled && isNews && counts ? withEnded(recent, settled, now) : recent,
      countedAt: counts ? now.at : before.countedAt,
      difference: told
        ? {
            before: left ? left.before : told.before,
            after: shown,
            earlier: left ? [...new Set(movedTo(left))].slice(-maxRecent) : [],
            since: left ? left.since : (before.countedAt ?? now.at),
            told: now,
          }
        : left,
      sentValue: before.sentValue,
      showsValues: showsValuesAfter(before, shown, { by, live, isUnexplained }),
    },
    saves: seen.map((save) => ({
      ...save,
      ...(save.sentAt <= now.steady && sightOf(save, shown, isShown(save), now, before)),
      ...(counts && overAfter(save, now)),
    })),
    told,
    by,
    counts,
  };
}

/** The addresses that were told while it was open, other than the one before. */
export function movedTo({ before, after, earlier }: Difference): string[] {
  const told = after ? [...earlier, after.callbackUrl] : earlier;
  return told.filter((url) => !before || !isSameAddress(url, before.callbackUrl));
}

/**
 * The service shows another value, or none, with the address of before, and showed no other address while it was open.
 * Its list cannot tell whether somebody changed the value or the service shows values differently.
 */
export function isOnlyOfValue(difference: Difference): boolean {
  const { before, after } = difference;
  return before !== null && after !== null && movedTo(difference).length === 0;
}

/** R9: a save at an address that was told restores nothing, until somebody says whose it is. */
export function isMovedTo(shown: WebhookVersion, difference: Difference): boolean {
  if (!shown || sameAddress(shown, difference.before)) return false;
  return movedTo(difference).some((url) => isSameSpelling(url, shown.callbackUrl));
}

/** R3: each state once, and not the oldest of too many. */
function withEnded(
  recent: Observed["recent"],
  state: WebhookVersion,
  { steady }: Moment,
): Observed["recent"] {
  const others = recent.filter((other) => !isSame(other.state, state));
  return [...others, { state, until: steady }].slice(-maxRecent);
}

/** R6 and R8, where news is accepted as that of the saves `by`. */
function withForm<Save extends Seen>(save: Save, shown: WebhookVersion, by: readonly Save[]): Save {
  if (by.includes(save)) return hasFormInFull(save) ? save : { ...save, form: shown };
  // A replica may show for the first time what an earlier save asked for: that makes no later one old.
  const isReplaced = save.form !== undefined && by.some(({ sentAt }) => sentAt > save.sentAt);
  return isReplaced ? { ...save, old: true } : save;
}

/** R7. */
function showsValuesAfter(
  { showsValues, sentValue, settled }: Observed,
  shown: WebhookVersion,
  {
    by,
    live,
    isUnexplained,
  }: { by: readonly Seen[]; live: readonly Seen[]; isUnexplained: boolean },
): boolean {
  const value = valueOf(shown);
  if (value !== null && (value === sentValue || by.some((save) => isExact(save, shown))))
    return true;
  const isAtKnown = [settled, ...live.map(({ asked }) => asked)].some((state) =>
    isAt(shown, state),
  );
  return showsValues && !(isUnexplained && isAtKnown);
}

/** R4: a look that counted a minute after another one, both after the save's time, met no lagging replica. */
function overAfter(
  { sentAt, overAt, over }: Seen,
  { steady }: Moment,
): Pick<Seen, "overAt" | "over"> {
  if (over || steady < sentAt + windowMs) return {};
  if (overAt === undefined) return { overAt: steady };
  return steady - overAt >= lastsMs ? { over: true } : {};
}

/** R5. */
function explains(save: Seen, shown: WebhookVersion, settled: WebhookVersion | undefined): boolean {
  if (save.form !== undefined && isAlike(save.form, shown)) return true;
  return !hasFormInFull(save) && mayBeAt(save, shown, settled) && isValue(shown, save.asked);
}

/** In another spelling, unless the settled address is written as asked: then the service keeps it so. */
function mayBeAt(
  { asked }: Seen,
  shown: WebhookVersion,
  settled: WebhookVersion | undefined,
): boolean {
  if (settled && sameAddress(settled, asked)) return sameAddress(shown, asked);
  return isAt(shown, asked);
}

function hasFormInFull({ form, asked }: Seen): boolean {
  return form !== undefined && valueOf(form) === valueOf(asked);
}

/** R6: news at a save's address stands for it once, where the value may be the list's way to show what was asked. */
function firstForms<Save extends Seen>(
  live: readonly Save[],
  shown: WebhookVersion,
  { settled, showsValues }: Observed,
): Save[] {
  // A service may keep a value where none is sent: the settled one, or that of a save that has no form yet.
  const isKept = live.some(
    ({ asked, form }) => form === undefined && valueOf(asked) === valueOf(shown),
  );
  const mayShow = ({ asked }: Save) =>
    (!!settled && valueOf(shown) === valueOf(settled)) ||
    (asked.fingerprint === null && isKept) ||
    (asked.fingerprint !== null && !showsValues && (valueOf(shown) !== null || settled === null));
  const forms = live.filter(
    (save) =>
      save.form === undefined &&
      save.shownAt === undefined &&
      mayBeAt(save, shown, settled) &&
      mayShow(save),
  );
  // Of the saves that fit, the one sent last: a replica may show the state of an earlier one later.
  const first = forms.findLast(({ asked }) => asked.fingerprint !== null) ?? forms.at(-1);
  return first ? forms.filter(({ asked }) => isSame(asked, first.asked)) : [];
}

/** What this look shows of a save: exactly it, or its address. */
function sightOf(
  save: Seen,
  shown: WebhookVersion,
  isShown: boolean,
  { at }: Moment,
  before: Observed,
): Pick<Seen, "shownAt" | "shownUntil" | "addressAt"> {
  const addressAt = save.addressAt ?? (isAt(shown, save.asked) ? at : undefined);
  const { shownAt, shownUntil } = save;
  if (isShown) {
    const isAgain = shownUntil !== undefined;
    return { addressAt, shownAt: isAgain ? at : (shownAt ?? at), shownUntil: undefined };
  }
  if (shownAt === undefined || shownUntil !== undefined) return { addressAt };
  return { addressAt, shownUntil: before.lookedAt ?? at };
}

/** What was asked for as it was asked, or in the spelling that was accepted for the same request (R5). */
function isShownAs(save: Seen, shown: WebhookVersion, saves: readonly Seen[]): boolean {
  const isItsForm = ({ asked, form }: Seen) =>
    form !== undefined && isSame(form, shown) && isSame(asked, save.asked) && isExact(save, shown);
  return isSame(save.asked, shown) || saves.some(isItsForm);
}

/** Exactly what was asked for, the address in any spelling. */
export function isExact({ asked }: Pick<Seen, "asked">, shown: WebhookVersion): boolean {
  return isAt(shown, asked) && valueOf(shown) === valueOf(asked);
}

/** R5: in any spelling. This is for what is said and told alone: which value may be sent goes by origins. */
export function isAt(a: WebhookVersion | undefined, b: WebhookVersion | undefined): boolean {
  return !!a && !!b && isSameSpelling(a.callbackUrl, b.callbackUrl);
}

const masked = "masked";

/** R2: a digest, also of two values at once; `masked`; or null where none is shown. */
function valueOf(state: WebhookVersion): string | null {
  if (!state) return null;
  if (state.hidden === masked) return masked;
  return state.conflict ? `two values ${state.fingerprint}` : state.fingerprint;
}

function isMasked(state: WebhookVersion): boolean {
  return valueOf(state) === masked;
}

/** Whether the list may not show the value that is there. */
export function hidesValue(
  state: WebhookVersion,
  { showsValues }: Pick<Observed, "showsValues">,
): boolean {
  return isMasked(state) || (valueOf(state) === null && !showsValues);
}

/** Whether the list shows a value, or a placeholder for one. */
export function hasValue(state: WebhookVersion): boolean {
  return valueOf(state) !== null;
}

/** Whether the list shows a value, of which it can be said whether a save asked for it. */
export function showsValue(state: WebhookVersion): boolean {
  return hasValue(state) && !isMasked(state);
}

/** A placeholder says that a value is set, and nothing of which. */
function isValue(a: WebhookVersion, b: WebhookVersion): boolean {
  const [one, other] = [valueOf(a), valueOf(b)];
  if (one === other) return true;
  return one !== null && other !== null && (one === masked || other === masked);
}

export function isSame(a: WebhookVersion, b: WebhookVersion): boolean {
  return sameAddress(a, b) && valueOf(a) === valueOf(b);
}

export function isAlike(a: WebhookVersion, b: WebhookVersion): boolean {
  return sameAddress(a, b) && isValue(a, b);
}

/** R11: the only value that may be written without being typed. */
export function mayKeep(
  { sentValue }: Pick<Observed, "sentValue">,
  shown: WebhookVersion,
): boolean {
  const value = valueOf(shown);
  return value !== null && value !== masked && value === sentValue;
}
