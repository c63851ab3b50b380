import {
  isSameAddress,
  sameAddress,
  type WebhookVersion,
} from "@/lib/webhooks/model/webhook-version";
import { shownAs, truthOf, type Rules, type Save, type Sight, type World } from "./world";

/** What must hold of every sequence. What "nobody outside can decide" is named as in docs/decisions/what-was-seen.md. */

export type Property = (rules: Rules, end: World) => boolean;

export const properties: Record<string, Property> = {
  "what is said of the list was shown": (rules, { observed, sights, told }) => {
    const last = sights.at(-1);
    const before = sights.findLastIndex(({ shown }) => !rules.isSame(shown, last?.shown ?? null));
    const isShownAt = (at: number, state: WebhookVersion) =>
      sights.some((sight) => sight.at === at && rules.isAlike(sight.shown, state));
    return (
      observed.shown?.since.at === sights[before + 1]?.at &&
      told.every(
        ({ before: was, since, after, told: { at } }) =>
          isShownAt(since, was) && isShownAt(at, after),
      )
    );
  },

  "what is said of a save was shown": (rules, { sights, saves }) =>
    saves.every((save) => isTrueOf(rules, save, saves, sights)),

  "nobody is woken where only Gancho wrote, each write took effect once, and in time": (
    rules,
    end,
  ) => {
    if (writtenByOthers(end) || !end.saves.every((save) => isInTime(rules, save))) return true;
    if (isSecondFirst(end)) return true;
    if (!end.showsLater || end.service.showsLater === "masked") return end.told.length === 0;
    return end.told.length <= 1;
  },

  "what another client wrote, and stays, is told once": (rules, end) => {
    const truth = truthOf(end);
    if (truth.by !== "other" || end.showsLater) return true;
    const shown = shownAs(end, truth.held);
    const told = end.told.filter(({ after }) => rules.isSame(after, shown));
    const now = told.filter(({ told: { at } }) => at >= truth.from).length;
    if (now > 1) return isOlderShownFirst(end) || isAnyValue(rules, end);
    const isOpen = end.observed.difference !== null;
    return told.length > 0 && isOpen ? true : isUntold(rules, end, shown);
  },

  "a difference stays open until a later save answers it": (
    rules,
    { told, saves, sights, observed },
  ) => {
    const last = told.at(-1);
    if (!last) return observed.difference === null;
    const later = saves.filter(({ sentAt }) => sentAt > last.told.steady);
    const isAnswered = (shown: WebhookVersion) =>
      !isMoved(shown) && later.some(({ asked }) => rules.isAt(shown, asked));
    const isMoved = (shown: WebhookVersion) =>
      rules.isAt(shown, last.after) && !sameAddress(shown, last.before);
    const end = sights.at(-1)?.shown ?? null;
    if (observed.difference === null) return sights.some(({ shown }) => isAnswered(shown));
    return isMoved(end) || !later.some(({ asked }) => rules.isSame(end, asked));
  },

  "only the value that Gancho sent last is kept": (rules, { observed, saves, service, sights }) => {
    const asked = saves.at(-1)?.asked.fingerprint;
    const sent = asked === undefined && service.isStartSent ? service.start?.value : asked;
    return sights.every(
      ({ shown }) =>
        rules.mayKeep(observed, shown) ===
        (!!shown && !shown.hidden && !!sent && shown.fingerprint === sent),
    );
  },

  "no save explains anything for ever": (_rules, { saves }) => saves.every(({ over }) => over),
};

const valueOf = (state: WebhookVersion) => state?.hidden ?? state?.fingerprint ?? "absent";

function isTrueOf(
  rules: Rules,
  save: Save,
  saves: readonly Save[],
  sights: readonly Sight[],
): boolean {
  const { asked, sentAt, shownAt, shownUntil, addressAt } = save;
  const since = sights.filter(({ at }) => at >= sentAt);
  if (addressAt !== since.find(({ shown }) => rules.isAt(shown, asked))?.at) return false;
  const isAsAsked = ({ shown }: Sight) => rules.isSame(shown, asked);
  // In another spelling only where that was news after somebody had asked for exactly this.
  const wasNews = ({ at, shown }: Sight, other: Save) =>
    sights.some(
      (sight) =>
        sight.at >= other.sentAt &&
        sight.at <= at &&
        rules.isSame(sight.shown, shown) &&
        !rules.isSame(sight.settledBefore ?? null, shown),
    );
  const isInASpelling = (sight: Sight) =>
    valueOf(sight.shown) === (asked.fingerprint ?? "absent") &&
    rules.isAt(sight.shown, asked) &&
    saves.some((other) => rules.isSame(other.asked, asked) && wasNews(sight, other));
  if (shownAt === undefined) return !since.some(isAsAsked);
  const until = shownUntil ?? Infinity;
  const run = since.filter(({ at }) => at >= shownAt && at <= until);
  const [before, after] = [
    since.findLast(({ at }) => at < shownAt),
    since.filter(({ at }) => at > until),
  ];
  return (
    run[0]?.at === shownAt &&
    (shownUntil === undefined || run.at(-1)?.at === shownUntil) &&
    run.every((sight) => isAsAsked(sight) || isInASpelling(sight)) &&
    !(before && isAsAsked(before)) &&
    !after.some(isAsAsked)
  );
}

const writtenByOthers = ({ truths }: World) => truths.some(({ by }) => by === "other");

function isInTime({ windowMs }: Rules, { appliedAt, sentAt }: Save): boolean {
  return appliedAt !== undefined && appliedAt - sentAt < windowMs;
}

const firstSight = ({ sights }: World, by: Save["by"]) =>
  sights.findIndex(({ truth }) => truth?.by === by);

/** A first save arrives second, while a replica shows the other one for the first time. */
function isSecondFirst(end: World): boolean {
  const [one, two] = end.saves;
  if (!one || !two || (one.appliedAt ?? Infinity) < (two.appliedAt ?? Infinity)) return false;
  return firstSight(end, 0) >= 0 && firstSight(end, 0) < firstSight(end, 1);
}

/** A replica shows an older state for the first time, after a newer one. */
function isOlderShownFirst({ sights }: World): boolean {
  return sights.some(({ truth, isLagging }, i) => {
    const earlier = sights.slice(0, i).flatMap((sight) => sight.truth?.from ?? []);
    return (
      isLagging &&
      truth &&
      !earlier.includes(truth.from) &&
      earlier.some((from) => from > truth.from)
    );
  });
}

/** Two saves ask for one address, and the list does not tell whose value it shows. */
function isAnyValue(rules: Rules, { service, saves: [one, two] }: World): boolean {
  return service.shows !== "exactly" && !!one && !!two && rules.isAt(one.asked, two.asked);
}

/** Whether what another client wrote need not be told: it shows nothing new, or nobody outside can decide. */
function isUntold(rules: Rules, end: World, shown: WebhookVersion): boolean {
  const truth = truthOf(end);
  const before = end.truths.at(-2);
  if (before && rules.isAlike(shownAs(end, before.held), shown)) return true;
  const seen = end.sights.filter((sight) => sight.truth === truth);
  if (seen[0] && rules.isAlike(seen[0].settledBefore ?? null, shown)) return true;
  return end.saves.some(
    (save) =>
      rules.isAt(shown, save.asked) &&
      seen.some(({ at }) => at >= save.sentAt) &&
      (isAskedFor(rules, end, save, shown) ||
        isAnotherSpelling(save, shown, seen) ||
        isAnotherValue(rules, end, save, shown, seen)),
  );
}

/** Somebody asked for just that, and the save may still take effect: no later save took its place. */
function isAskedFor(rules: Rules, end: World, save: Save, shown: WebhookVersion): boolean {
  const isReplaced = save.by === 0 && firstSight(end, 1) > firstNews(rules, end, save);
  return rules.isAlike(save.asked, shown) && !isReplaced;
}

/** The first look that showed its effect as news, and counted. */
function firstNews(rules: Rules, { sights }: World, { by }: Save): number {
  const at = sights.findIndex(
    ({ truth, counts, shown, settledBefore }) =>
      truth?.by === by && counts && !rules.isAlike(settledBefore ?? null, shown),
  );
  return at < 0 ? Infinity : at;
}

/** Another spelling of an address just asked for, unless the list has kept it as it was asked. */
function isAnotherSpelling(
  { asked, sentAt }: Save,
  shown: WebhookVersion,
  seen: readonly Sight[],
): boolean {
  const isAsked = (state: WebhookVersion | undefined) =>
    !!state && isSameAddress(state.callbackUrl, asked.callbackUrl);
  return (
    !isAsked(shown) && seen.some(({ at, settledBefore }) => at >= sentAt && !isAsked(settledBefore))
  );
}

/**
 * Another value at an address just asked for, where the list hides values, or where it is the value of before, or, for a
 * save without one, that of a save that has no form yet.
 */
function isAnotherValue(
  rules: Rules,
  end: World,
  save: Save,
  shown: WebhookVersion,
  seen: readonly Sight[],
): boolean {
  const first = seen[0];
  if (first?.settledBefore && valueOf(first.settledBefore) === valueOf(shown)) return true;
  const at = end.sights.findIndex((sight) => sight === first);
  if (save.asked.fingerprint === null)
    return end.saves.some(
      (other) => valueOf(other.asked) === valueOf(shown) && firstNews(rules, end, other) >= at,
    );
  const isKnown =
    end.service.shows === "exactly" &&
    (end.service.isStartSent ||
      end.saves.some(({ by, asked }) => {
        const at = end.sights[firstSight(end, by)]?.at ?? Infinity;
        return asked.fingerprint !== null && at < (first?.at ?? 0);
      }));
  // In a way of its own it shows the value once.
  const isShownBefore = firstNews(rules, end, save) < at;
  return !isKnown && !(end.service.shows === "hashed" && isShownBefore);
}
