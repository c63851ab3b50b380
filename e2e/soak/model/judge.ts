import type { Configuration } from "@/lib/webhooks/model/configuration";
import { followMs } from "@/e2e/soak/installation";
import { isRefusal, type Reported } from "@/e2e/soak/truth";
import { isAlike, isAtItem, isMaskedItem, isSameItem, isSpelledAlike, type Item } from "./items";
import type { Evidence, Press, Row, Version } from "./run";
import { type Event, type Held, type Listed, type Type, types, type Write } from "./service";

/** Something that Gancho said, or did, and that was not so or must not be. */
export type Finding = { kind: string; text: string };

/**
 * A process was stopped for a while or killed; all that was sent to the database arrived later; or the machine was too
 * busy for an instance to say in time that it is alive.
 */
export type Unrest = {
  from: number;
  until: number;
  kind: "stopped" | "killed" | "slow database" | "busy";
};

/** How long a state has to last, on the scale of the soak: a tenth of a save's time, as in production. */
export const lastsMs = followMs / 10;
/** A save that takes so long may be answered before its end. */
const overdueMs = 9_000;
/** For how long a save may hold its lock, once it goes on. */
const lockMs = 25_000;
/** An instance that takes longer to say that it is alive has no time to answer saves in time. */
export const busyMs = 500;
/** How long after the service sent it an answer may come, without unrest and with it; and how far clocks may be apart. */
const transitMs = 1_500;
const stalledMs = 35_000;
/** How long a busy machine may take until it has recorded what a look showed. */
const recordMs = 5_000;
const clocksMs = 300;

/**
 * Everything that Gancho said and did in one run, against what the service was asked, answered and showed. It forgives
 * what docs/decisions/what-was-seen.md says that nobody outside can decide; each place names which. How soon Gancho
 * answers is for the other parts of the soak: here the processor is the bound.
 */
export function judge(evidence: Evidence, unrests: readonly Unrest[]): Finding[] {
  const findings: Finding[] = [];
  const { service, client, partner, presses, readings, history, saves, timeOrigin } = evidence;
  const { behaviour } = service;
  const { lagMs } = behaviour.replicas ?? { lagMs: 0 };
  const about = `${partner.id} (${behaviour.name})`;
  const check = (holds: boolean, kind: string, what: unknown) => {
    if (!holds) findings.push({ kind, text: `${about}: ${kind}: ${JSON.stringify(what)}` });
  };

  /** By the clock of the run, as everything in it is timed. */
  const time = (at: string | number) => (typeof at === "string" ? Date.parse(at) : at) - timeOrigin;
  const eventsOf = (type: Type) => client.events.filter((event) => event.type === type);
  const isOf = (type: Type) => (write: Write) => write.type === "both" || write.type === type;
  const pressOf = (write: Write) =>
    presses.findLast(({ url, startedAt }) => url === write.url && startedAt <= write.at);
  const writesOf = (press: Press, type?: Type) =>
    client.writes.filter((write) => pressOf(write) === press && (!type || isOf(type)(write)));
  const itemIn = (list: Listed, type: Type): Item => list.items.find((item) => item.type === type);

  const isDuring = (from: number, until: number) =>
    unrests.some((unrest) => unrest.from <= until && unrest.until >= from);
  /** The answers of the list that may have come at this time. */
  const listsAt = (at: number, withinMs = transitMs) =>
    client.lists.filter(
      ({ until }) =>
        until <= at + clocksMs &&
        (at - until <= withinMs || (at - until <= stalledMs && isDuring(until, at))),
    );
  /** What the list showed in the answers that came from then on, before `until`. */
  const itemsBetween = (type: Type, from: number, until = Infinity) =>
    client.lists
      .filter((list) => list.until >= from && list.until < until)
      .map((list) => itemIn(list, type));
  const itemsAt = (at: number, type: Type, withinMs = transitMs) =>
    listsAt(at, withinMs).map((list) => itemIn(list, type));
  /** What people were shown, with the answers that it may have come from. */
  const screens = readings.map(({ startedAt, configuration }) => {
    const at = time(configuration.confirmedAt);
    const lists = listsAt(at).filter((list) => isShown(list, configuration));
    return { startedAt, at, lists, configuration };
  });
  /** The state of each type that people were shown, where all those answers agree. */
  const seenOf = (type: Type) =>
    screens.flatMap(({ at, lists, configuration: { stale } }) => {
      const [item, ...others] = lists.map((list) => itemIn(list, type));
      const isOne = !stale && lists.length > 0 && others.every((other) => isSameItem(other, item));
      return isOne ? [{ at, item }] : [];
    });
  const alarms = history.flatMap(({ kind, at, detail }) =>
    kind === "changed_outside"
      ? (detail.changes ?? []).map((change) => ({ ...change, at, since: detail.lastLookedAt }))
      : [],
  );
  for (const write of client.writes)
    check(pressOf(write) !== undefined, "a write that nobody pressed", write);
  screens.forEach(judgeScreen);
  alarms.forEach(judgeAlarm);
  for (const type of types) eventsOf(type).forEach((_, at, all) => judgeOutsider(all, at));
  for (const press of presses) judgePress(press);
  return findings;

  /** A screen: its state, since when, and who asked for it. */
  function judgeScreen({ startedAt, at, lists, configuration }: (typeof screens)[number]) {
    const { webhooks, outside = [], stale } = configuration;
    const isRecent = stale || at >= startedAt - 2 * transitMs || isDuring(at, startedAt);
    check(isRecent, "an old state as the present one", startedAt - at);
    check(lists.length > 0, "a state that the service did not show then", webhooks);
    if (lists.length === 0) return;
    for (const { type, callbackUrl, shownSince, askedBy } of webhooks) {
      const card = [type, callbackUrl, shownSince, askedBy];
      const now = lists.map((list) => itemIn(list, type));
      const isNow = (item: Item) => now.some((one) => isSameItem(one, item));
      const since = time(shownSince);
      check(itemsAt(since, type).some(isNow), "shown since a look that did not show it", card);
      const others = seenOf(type).filter(({ item }) => !isNow(item));
      const isBetween = others.some((one) => one.at > since + clocksMs && one.at < at - clocksMs);
      check(!isBetween, "shown since, and another state between", card);
      const askers = presses.filter(
        (press) => press.person.name === askedBy?.name && isPressedAt(press, time(askedBy.at)),
      );
      const isAsked = askers.some((press) => now.some((item) => isAskedIn(press, type, item, at)));
      check(!askedBy || isAsked, "asked by somebody who did not ask for it", card);
    }
    for (const { type, before, after, since, at: toldAt, askedBy } of outside) {
      checkShown(type, before, time(since), "outside: did not show the state before");
      const items = checkShown(type, after, time(toldAt), "outside: did not show the state after");
      const asked = presses.find(
        (press) =>
          sentAt(press, type) < time(toldAt) &&
          lists.every((list) => isExact(press, type, itemIn(list, type))) &&
          items.every((item) => isExact(press, type, item)),
      );
      check(askedBy !== undefined || !asked, "outside: somebody had asked for it", [type, after]);
    }
  }

  /** Some look of that time showed the version; returns what it may have been. */
  function checkShown(
    type: Type,
    version: Version,
    at: number,
    kind: string,
    withinMs = transitMs,
  ): Item[] {
    const items = itemsAt(at, type, withinMs).filter((item) => item?.url === version?.callbackUrl);
    check(items.length > 0, kind, [type, version, at]);
    return items;
  }

  /**
   * A difference was told. Something of its own has happened before it, other than a save that takes effect once:
   * another client wrote, the list began to show values in another way, took something back, or left the type out.
   */
  function judgeAlarm({ type, before, after, at, since }: (typeof alarms)[number], index: number) {
    const what = [type, before, after];
    checkShown(type, before, time(since ?? 0), "told: did not show the state before");
    const items = checkShown(type, after, at, "told: did not show the state after", recordMs);
    const earlier = alarms.slice(0, index).filter((other) => other.type === type);
    const previous = earlier.at(-1);
    const listedAt = (eventsOf(type)[0]?.at ?? Infinity) + lagMs;
    const causes = [
      ...eventsOf(type).flatMap((event) => (event.by === null ? event.at : [])),
      ...client.dirty.flatMap((one) => (one.type === type ? one.until : [])),
      ...client.turns,
      ...client.lists.flatMap((list) =>
        list.from > listedAt && !itemIn(list, type) ? list.until : [],
      ),
    ].filter((cause) => cause >= (client.lists[0]?.until ?? 0) - lagMs && cause <= at);
    // Undecidable: a lagging replica may tell the same a second time.
    const isRecent = (cause: number) => cause >= (previous?.at ?? 0) - lastsMs - lagMs;
    const isCaused =
      causes.length > earlier.length ||
      causes.some(isRecent) ||
      items.some((item) => isSecond(type, item, at));
    check(isCaused, "an alarm without a cause of its own", what);
    check(after !== null || isLeftOut(type, at), "told as not listed too soon", what);
    // It stays until a later save answers it; nobody acknowledges any.
    const last = readings.at(-1)?.configuration;
    const isLeft = !last || last.stale || (last.outside ?? []).some((one) => one.type === type);
    // Of a process that was killed, nobody knows whether it wrote.
    const looks = listsAt(at, recordMs).filter(
      (list) => itemIn(list, type)?.url === after?.callbackUrl,
    );
    const lookedAt = Math.min(at, ...looks.map(({ until }) => until));
    const isAnswered = presses.some(
      (press) => isSent(press, type) && (intentOf(press)?.at ?? 0) > lookedAt - clocksMs,
    );
    check(isLeft || isAnswered, "an alarm that went away", what);
  }

  /** Undecidable: a type that is not listed for long may only be left out. */
  function isLeftOut(type: Type, until: number): boolean {
    const lists = client.lists.filter((list) => list.until <= until);
    const last = lists.findLastIndex((list) => itemIn(list, type) !== undefined);
    const first = lists[last + 1];
    return first !== undefined && until - first.until >= lastsMs - clocksMs;
  }

  /** Undecidable: a first save that arrives second, while a replica shows the other one. */
  function isSecond(type: Type, item: Item, at: number): boolean {
    const written = client.writes.filter((write) => isOf(type)(write) && write.at <= at);
    const effects = eventsOf(type).flatMap(({ by }) => by ?? []);
    const isSwapped = written.some((one) =>
      written.some((other) => one.at < other.at && effects.indexOf(one) > effects.indexOf(other)),
    );
    return isSwapped && written.some((write) => isWritten(write, item));
  }

  /** What another client changed, and people were shown for long enough, is told. */
  function judgeOutsider(all: readonly Event[], index: number) {
    const event = all[index];
    if (!event || event.by !== null || !event.held) return;
    const { type, held, at } = event;
    const end = all[index + 1]?.at ?? Infinity;
    const shown = seenOf(type).filter(
      (one) => one.at >= at && one.at <= end && isHeld(one.item, held),
    );
    const [first, latest] = [shown[0], shown.at(-1)];
    if (!first?.item || !latest || latest.at - first.at < lastsMs + clocksMs) return;
    const meanwhile = itemsBetween(type, first.at, latest.at);
    if (!meanwhile.every((item) => isSameItem(item, first.item))) return;
    const before = seenOf(type).filter((one) => one.at < at);
    const settled = before.at(-1)?.item;
    // The first state ever read is no difference; nor is what was shown before; nor what cannot be told from it.
    if (before.length === 0 || isAlike(first.item, settled)) return;
    if (itemsBetween(type, at - followMs, at).some((item) => isAlike(first.item, item))) return;
    const live = presses.filter((press) => isLive(press, type, first.at));
    if (live.some((press) => isExact(press, type, first.item))) return;
    // Undecidable: another value at an address just asked for, where the list hides values, or of before.
    const isHidden = !showsValues(type, first.at) || isMaskedItem(first.item);
    // As people were shown it, or as a save's own look showed it since.
    const others = itemsBetween(type, 0, first.at).filter((item) => !isSameItem(item, first.item));
    const isOfBefore = [settled, others.at(-1)].some((item) => item?.shown === first.item?.shown);
    if ((isHidden || isOfBefore) && live.some(({ url }) => isAtItem(first.item, url))) return;
    const isTold = (one: { type: Type; after: Version }) =>
      one.type === type && isAtItem(first.item, one.after?.callbackUrl);
    const told = [
      ...alarms.filter((one) => one.at >= at),
      ...readings.flatMap(({ configuration: { outside = [] } }) => outside),
    ];
    check(told.some(isTold), "another client's change was not told", [type, held]);
  }

  /** It may have been sent, and explain what is shown: two looks after its time have not been made. */
  function isLive(press: Press, type: Type, at: number): boolean {
    const { startedAt } = press;
    const after = seenOf(type).filter((one) => one.at >= startedAt + followMs && one.at < at);
    const maySent = isSent(press, type) || isUnanswered(press, at);
    return maySent && startedAt <= at && after.length < 2;
  }

  /** Undecidable: its process stood still, and has not said yet that nothing left. */
  function isUnanswered({ id }: Press, at: number): boolean {
    const of = history.filter(({ detail }) => detail.saveId === id);
    return (
      of.some((row) => row.kind === "save_attempt" && row.at <= at + clocksMs) &&
      !of.some((row) => row.kind === "save_sent" && row.at <= at)
    );
  }

  /** It may have been, or was shown before its process said that it was not. */
  function isSent({ id }: Press, type: Type): boolean {
    return history.some(
      ({ kind, detail }) =>
        (kind === "save_sent" || kind === "save_shown") &&
        detail.saveId === id &&
        detail.changes?.some((one) => one.type === type && one.outcome !== "not_sent"),
    );
  }

  function intentOf({ id }: Press): Row | undefined {
    return history.find(({ kind, detail }) => kind === "save_attempt" && detail.saveId === id);
  }

  /** R7: a save's value was shown, and nothing was told at a known address since. */
  function showsValues(type: Type, at: number): boolean {
    const isAtKnown = ({ before, after }: (typeof alarms)[number]) =>
      [before?.callbackUrl, ...presses.map(({ url }) => url)].some((url) =>
        isSpelledAlike(after?.callbackUrl, url),
      );
    const doubts = alarms.filter((alarm) => alarm.type === type && isAtKnown(alarm));
    const ends = [...client.turns, ...doubts.map((alarm) => alarm.at)];
    const from = Math.max(0, ...ends.filter((one) => one <= at));
    return history.some(
      (row) =>
        row.kind === "save_shown" &&
        row.at > from &&
        row.at < at &&
        row.detail.changes?.some(
          (one) => one.type === type && one.outcome === "saved" && one.after?.fingerprint,
        ),
    );
  }

  function isHeld(item: Item, held: Held): boolean {
    if (!item || !held) return !item && !held;
    const forms = [behaviour.shows, behaviour.later?.shows].flatMap((shows) =>
      shows && held.value !== null ? [shows(held.value)] : [],
    );
    return isAtItem(item, held.url) && [held.value, ...forms].includes(item.shown);
  }

  /** The values that a press asked for: as typed, or as it was kept and written. */
  function askedOf(press: Press, type: Type): (string | null)[] {
    if (press.value !== undefined) return [press.value];
    return writesOf(press, type).map(({ value }) => value);
  }

  function isExact(press: Press, type: Type, item: Item): boolean {
    if (!press.types.includes(type) || !isAtItem(item, press.url)) return false;
    // Nothing is known of a value that was kept and never arrived.
    const asked = askedOf(press, type);
    return asked.length === 0 ? press.value === undefined : asked.includes(item?.shown ?? null);
  }

  /** Exactly it; or its address, where the list hides values: undecidable, and worded so. */
  function isAskedIn(press: Press, type: Type, item: Item, at: number): boolean {
    if (isExact(press, type, item)) return true;
    const isHere = press.types.includes(type) && isAtItem(item, press.url);
    return isHere && (isMaskedItem(item) || !showsValues(type, at));
  }

  function sentAt(press: Press, type: Type): number {
    return writesOf(press, type)[0]?.at ?? Infinity;
  }

  function judgePress(press: Press) {
    const { id, person, url, answer, asked, endedAt } = press;
    const mine = writesOf(press);
    const what = `${person.name} ${press.action} ${url}`;
    judgeWrites(press, mine);
    check(answer?.code !== "internal_error", "a fault of Gancho's", what);
    const isSaved = saves.some((save) => save.id === id);
    check(isSaved || mine.length === 0, "a write without an intent", what);
    const rows = history.filter(({ detail }) => detail.saveId === id);
    for (const row of rows) {
      const { id: actor } = press.approver ?? person;
      check(row.actor_id === actor, "another person's save in the history", what);
      judgeEntry(press, row);
    }
    const said = rows.filter(({ kind }) => kind === "save_sent").length;
    // A process that stalled may know better than those who recorded that no answer is known.
    const isCorrected = said === 2 && rows.some(({ outcome }) => outcome === "not_sent");
    check(!isSaved || said === 1 || isCorrected, "not said once what was answered", [what, said]);
    for (const result of answer?.result?.results ?? []) judgeResult(press, result, "answer");
    for (const result of asked?.result?.results ?? []) {
      const { type, outcome, until } = result;
      judgeResult(press, result, "in the end");
      check(until === undefined, "open in the end", what);
      const isEntered = rows.some(({ detail }) =>
        detail.changes?.some((one) => one.type === type && one.outcome === "saved"),
      );
      const shown = rows.find(({ kind }) => kind === "save_shown");
      // What another client wrote, before it said so.
      const last = rows.findLast(({ kind }) => kind === "save_sent");
      const isBoth = outcome === "not_sent" && !!shown && !!last && last.at > shown.at;
      const isTold = (outcome === "saved") === isEntered || isBoth;
      check(isTold, "the history tells another end", [what, result]);
    }
    check(asked?.outcome !== "none" || mine.length === 0, "asked: it was never sent", what);
    if (!answer) return;
    const isLater = mine.some(({ at }) => at > endedAt);
    check(answer.applied !== "no" || !isLater, "sent after it was answered as not sent", what);
    const isRefused = answer.code === "save_in_progress";
    check(!isRefused || isAnotherSaving(press), "refused because of no other save", what);
  }

  function isAnotherSaving(press: Press): boolean {
    // One that was answered because its time was over may go on for as long as it holds the lock.
    const lastsMs = ({ answer }: Press) => (answer && answer.ms >= overdueMs ? lockMs : 1_000);
    const isMeanwhile = (other: Press) =>
      other !== press &&
      other.startedAt <= press.endedAt &&
      other.endedAt >= press.startedAt - lastsMs(other);
    // A process that stood still in the middle of a save goes on with it afterwards.
    return isDuring(press.startedAt - lockMs, press.endedAt) || presses.some(isMeanwhile);
  }

  function judgeEntry(press: Press, { kind, at, detail }: Row) {
    for (const { type, outcome, answered, value } of detail.changes ?? []) {
      if (outcome === "seen") continue;
      const said = { type, outcome, answered, value } as Reported;
      const when = new Date(timeOrigin + at).toISOString();
      if (kind === "save_shown") said.shownAt = said.lookedAt = when;
      if (detail.lookedAt !== undefined) said.lookedAt = new Date(detail.lookedAt).toISOString();
      judgeResult(press, said, kind);
    }
  }

  /** One sentence on one type of a save. */
  function judgeResult(press: Press, said: Reported, where: string) {
    const { type, outcome, answered, value } = said;
    const mine = writesOf(press, type);
    const statuses = mine.map(({ status }) => status);
    const holds = (is: boolean, kind: string) =>
      check(is, `${where}: ${outcome}${kind}`, [press.url, press.value, said, statuses]);
    const withinMs = where === "save_shown" ? recordMs : transitMs;
    const some = (at: string, is: (item: Item) => boolean) =>
      itemsAt(time(at), type, withinMs).some(is);
    const exact = (item: Item) => isExact(press, type, item);
    const here = (item: Item) => isAtItem(item, press.url);
    const items = itemsBetween(type, press.startedAt - transitMs);
    const isNeverSent = outcome === "not_sent" || outcome === "unchanged";
    holds(!isNeverSent || mine.length === 0, ", and it was sent");
    holds(answered === undefined || statuses.includes(answered), ": another answer");
    const isOfAnswer = ["accepted", "refused", "unclear"].includes(outcome);
    holds(!isOfAnswer || outcome === stateOf(answered), ": answered otherwise");
    holds(outcome !== "unchanged" || items.some(exact), ", and it was not shown");
    if (outcome === "saved" || outcome === "partly") {
      const is = outcome === "saved" ? exact : here;
      const { shownAt = "", shownUntil = shownAt, lookedAt = shownAt } = said;
      const isLast = (item: Item) => is(item) === (said.shownUntil === undefined);
      holds(some(shownAt, is), ": no look showed it then");
      holds(some(shownUntil, is), ": until a look that did not show it");
      holds(!said.lookedAt || some(lookedAt, isLast), ": the last look");
    } else if (said.lookedAt && !isNeverSent) {
      const until = time(said.lookedAt);
      // A process that was killed may have sent nothing.
      const from = mine[0]?.at ?? press.startedAt;
      const isSeen = seenOf(type).some(({ at, item }) => at > from && at <= until && exact(item));
      // From the intent on, something may have left: a busy machine may take seconds until it does.
      const sinceMs = (intentOf(press)?.at ?? from) - clocksMs;
      const isMissed = some(said.lookedAt, (item) => !exact(item));
      holds(isMissed && !isSeen, ", and a look had shown it");
      holds(outcome !== "not_shown" || until >= sinceMs + followMs, " before its time was over");
    }
    const isOther = (item: Item) => typeof item?.shown === "string" && !isMaskedItem(item);
    const isValue = (item: Item) =>
      here(item) && !exact(item) && isOther(item) === (value === "other");
    const isKnown = askedOf(press, type).length > 0;
    holds(value === undefined || !isKnown || items.some(isValue), `, value ${value}`);
  }

  /** What it wrote: what was typed, or what the list showed and Gancho had sent. */
  function judgeWrites(press: Press, mine: readonly Write[]) {
    const { action, value, types: wanted, person, url } = press;
    const again = mine.filter(({ status }) => status === 401).length;
    check(mine.length <= wanted.length + again, "too many writes for one press", url);
    for (const write of mine) {
      const ofType = wanted.filter((type) => isOf(type)(write));
      check(ofType.length === (write.type === "both" ? 2 : 1), "a write of another type", write);
      const isTyped = value === undefined || write.value === value;
      check(isTyped, "another value than was typed", write);
      const isFree = value !== undefined || write.value === null;
      check(isFree || ofType.every((type) => isKept(type, write)), "kept another value", write);
      if (person.role === "editor" && action !== "replace")
        ofType.forEach((type) => judgeMove(type, write));
    }
  }

  /** Gancho had sent it, and the list had shown it. */
  function isKept(type: Type, write: Write): boolean {
    const earlier = client.writes.filter((one) => one.at < write.at && isOf(type)(one));
    const isSent = earlier.some((one) => one.value === write.value);
    return isSent && itemsBetween(type, 0, write.at).some((item) => item?.shown === write.value);
  }

  /** An editor moves no value to another origin: neither sent along, nor kept by the service. */
  function judgeMove(type: Type, write: Write) {
    const all = eventsOf(type);
    for (const { held } of all.filter(({ by }) => by === write)) {
      if (!held?.value) continue;
      const others = all.filter((one) => one.at < write.at && one.held?.value === held.value);
      const sent = client.writes.filter(
        (one) => one.at < write.at && isOf(type)(one) && one.value === held.value,
      );
      const known = [...others.flatMap((one) => one.held ?? []), ...sent];
      const isKnown = known.some(({ url }) => originOf(url) === originOf(held.url));
      // Undecidable: another client's, which the service kept, and which no answer of the list had shown.
      const isUnseen = others.every(
        ({ by, at, held: theirs }) =>
          by === null && !itemsBetween(type, at, write.at).some((item) => isHeld(item, theirs)),
      );
      if (write.value === null && sent.length === 0 && isUnseen) continue;
      check(known.length === 0 || isKnown, "an editor moved a secret", [type, known, held]);
    }
  }
}

/** What an answer to a write says, without a look. */
function stateOf(status: number | undefined): Reported["outcome"] {
  if (status === 200 || status === 201) return "accepted";
  return status !== undefined && isRefusal(status) ? "refused" : "unclear";
}

function isPressedAt({ startedAt, endedAt }: Press, at: number): boolean {
  return at >= startedAt - clocksMs && at <= endedAt + clocksMs;
}

const isWritten = ({ url, value }: Write, item: Item) =>
  isAtItem(item, url) && item?.shown === value;

const originOf = (url: string) => new URL(url).origin;

/** Whether a screen shows exactly what this answer of the list said. */
function isShown({ items }: Listed, { webhooks }: Configuration): boolean {
  return types.every((type) => {
    const item = items.find((one) => one.type === type);
    const shown = webhooks.find((webhook) => webhook.type === type);
    if (!item || !shown) return item === undefined && shown === undefined;
    return item.url === shown.callbackUrl && (item.shown !== null) === shown.authorization.set;
  });
}
