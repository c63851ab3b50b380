import { shownVersionOf } from "@/lib/webhooks/model/compare";
import { followMs } from "@/e2e/soak/installation";
import { isRefusal, isTrue, maxMs, type Reported } from "@/e2e/soak/truth";
import { normalForm } from "./behaviours";
import type { Change, Evidence, Press, Reading } from "./run";
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

/** A save that takes so long may be answered before its end. */
const overdueMs = 9_000;
/** A type that the list leaves out for so long counts as gone: a tenth of the time for which a save is followed. */
const missingMs = followMs / 10;
/** For how long a save may hold its lock, once it goes on. */
const lockMs = 25_000;

/** Everything that Gancho said and did in one run, against what was really so. */
export function judge(evidence: Evidence, unrests: readonly Unrest[]): Finding[] {
  const findings: Finding[] = [];
  const { service, client, partner, presses, readings, history, saves } = evidence;
  const { lagMs } = service.behaviour.replicas ?? { lagMs: 0 };
  const check = (holds: boolean, kind: string, text: () => string) => {
    if (!holds)
      findings.push({
        kind,
        text: `${partner.id} (${service.behaviour.name}): ${kind}: ${text()}`,
      });
  };
  const eventsOf = (type: Type) => client.events.filter((event) => event.type === type);
  /** What was in force at some time between the two, or as long before as a replica may lag. */
  const inForce = (type: Type, from: number, until: number): Held[] => {
    const held = [{ at: -Infinity, held: null as Held }, ...eventsOf(type)];
    return held.flatMap(({ at, held: one }, index) =>
      at <= until && (held[index + 1]?.at ?? Infinity) >= from - lagMs - 5 ? [one] : [],
    );
  };
  const pressOf = (write: Write): Press | undefined =>
    presses.findLast(({ url, startedAt }) => url === write.url && startedAt <= write.at);
  const wrote = new Map(presses.map((press) => [press, [] as Write[]]));
  for (const write of client.writes) {
    const press = pressOf(write);
    if (press) wrote.get(press)?.push(write);
    check(press !== undefined, "a write that nobody pressed", () => write.url);
  }
  const writesOf = (press: Press) => wrote.get(press) ?? [];
  const bySave = ({ by }: Pick<Event, "by">, press: Press) => by !== null && pressOf(by) === press;

  for (const reading of readings) judgeReading(reading);
  for (const { kind, at, detail } of history) {
    if (kind === "changed_outside")
      for (const change of detail.changes ?? []) judgeOutside(change, at + 1_000);
    if (kind === "shown_again")
      for (const { type, after } of detail.changes ?? [])
        check(
          eventsOf(type).some(({ by, held }) => by !== null && sameUrl(held, after?.callbackUrl)),
          "shown again, though no save had set it",
          () => `${type} ${after?.callbackUrl}`,
        );
  }
  for (const press of presses) judgePress(press);
  return findings;

  /** It shows one answer of the list, of no earlier time than it says, and names who changed what is shown. */
  function judgeReading({ startedAt, endedAt, configuration }: Reading) {
    const { stale, confirmedAgeMs, webhooks, outside = [] } = configuration;
    const since = stale ? sinceLastSave(startedAt) : startedAt - confirmedAgeMs;
    // Several look the same here, where values are not compared: any of them may be the one that is shown.
    const lists = client.lists.filter(
      (listed) => listed.from <= endedAt && listed.until >= since - 5 && isShown(listed, webhooks),
    );
    const [first, last] = [lists[0], lists.at(-1)];
    check(
      first !== undefined,
      stale ? "an older state than a save that had ended" : "a state that the service did not show",
      () => JSON.stringify(webhooks),
    );
    if (!first || !last) return;
    const isPlain = lists.every(({ plain }) => plain);
    const list = { from: first.from, until: last.until, plain: isPlain };
    for (const { type, callbackUrl, lastChange } of webhooks) {
      const held = inForce(type, list.from, list.until);
      const dirty = client.dirty.filter(
        (one) => one.type === type && one.from <= list.until && one.until >= list.from - lagMs,
      );
      if (shownVersionOf(configuration, type)?.authorization.kind === "unset")
        check(
          [...held, ...dirty.map((one) => one.held)].some((one) => one?.value === null),
          "shows that no value is set",
          () => `${type} ${callbackUrl}`,
        );
      if (!lastChange || lastChange.onlyValue === true) continue;
      const { by } = lastChange;
      const isOf = (write: Write | null) => write !== null && pressOf(write)?.person.name === by;
      const isTheirs = (event: Event) =>
        by === null ? event.by === null || isUntraceable(event) : isOf(event.by);
      // Of two values that the list shows alike, nobody can know which one is in force.
      const isValue = (value: string | null | undefined) =>
        !list.plain || held.some((one) => one?.value === value);
      // Nor whether what was sent is what is shown, where another client set exactly that; or the same address with
      // another value, where the service acknowledged the save and had not shown a value of Gancho's before; or with one
      // that cannot be compared, where no refusal arrived.
      // Nor whether anything left a process that was killed.
      const isWritten = (press: Press, value: string | null | undefined) =>
        writesOf(press).some((write) => write.value === value);
      const mayBe = (press: Press) =>
        (writesOf(press).length > 0 || press.answer === null) &&
        normalForm(press.url) === normalForm(callbackUrl) &&
        (held.some((one) => one?.value === press.value || isWritten(press, one?.value)) ||
          writesOf(press).some((write) => isAcknowledged(write) && !wasShown(type, write)) ||
          ((!list.plain || press.value === undefined) &&
            writesOf(press).every(({ status, at }) => !isRefusal(status) || at > press.endedAt)));
      check(
        eventsOf(type).some(
          (event) =>
            event.at <= endedAt &&
            isTheirs(event) &&
            sameUrl(event.held, callbackUrl) &&
            isValue(event.held?.value),
        ) ||
          dirty.some((one) => isOf(one.by) && sameUrl(one.held, callbackUrl)) ||
          presses.some((press) => press.person.name === by && mayBe(press)),
        by === null ? "a card says: outside Gancho" : "a card says: by somebody",
        () => `${by} ${type} ${callbackUrl}`,
      );
    }
    for (const change of outside) judgeOutside(change, endedAt);
  }

  /**
   * Whether nobody can tell it from another client's: the service refused the write, applied it, and shows values in
   * another way or keeps one that was to go; or a replica that lags showed another client's state after it, and values
   * are shown in another way since; or its save had ended with an address that was seen and a value that was not; or it
   * kept another client's value; or the service had answered 401 and applied it, and it was sent again; or it was to
   * change nothing, so that its save had ended before the service applied it.
   */
  function isUntraceable(event: Event): boolean {
    const { by, type, at } = event;
    if (by === null) return false;
    const { shows, later, keepsOmitted } = service.behaviour;
    if (isRefusal(by.status) && (shows ?? later ?? keepsOmitted)) return true;
    const press = pressOf(by);
    if (by.status === 401 && press && writesOf(press).length > 1) return true;
    if (wasToChangeNothing(event) || isLikeAnothers(event)) return true;
    const isBeside = (other: Event) => other.by === null && Math.abs(other.at - at) <= lagMs;
    const hasTurned = client.turns.some((turn) => turn >= at);
    if (later?.shows && hasTurned && eventsOf(type).some(isBeside)) return true;
    return endedAsSeenAt(event) !== undefined;
  }

  /** When its save ended with an address that was seen and a value that was not: perhaps as another client set it. */
  function endedAsSeenAt({ by, type }: Event): number | undefined {
    const press = by === null ? undefined : pressOf(by);
    const save = saves.find((each) => each.id === press?.id);
    return history.find(
      ({ kind, detail }) =>
        kind === "save" &&
        detail.saveId === save?.id &&
        detail.changes?.some((one) => one.type === type && one.authorization === "not_shown"),
    )?.at;
  }

  /** Whether its save had ended before it took effect. */
  function hadEnded(event: Event): boolean {
    return wasToChangeNothing(event) || (endedAsSeenAt(event) ?? Infinity) < event.at;
  }

  /** What it asked for was in force or shown when it was sent, or another client set it before it took effect. */
  function wasToChangeNothing({ by, type, at: effectAt }: Event): boolean {
    if (by === null) return false;
    const isAsked = (held: Held = null) => sameUrl(held, by.url) && held?.value === by.value;
    const all = eventsOf(type);
    const isSetMeanwhile = all.some(
      (one) => one.by === null && one.at > by.at && one.at < effectAt && isAsked(one.held),
    );
    const list = client.lists.findLast(({ until }) => until <= by.at);
    const item = list?.items.find((one) => one.type === type);
    const isShown = list?.plain && item?.shown === by.value && sameUrl(item, by.url);
    return isShown || isSetMeanwhile || isAsked(all.findLast(({ at }) => at < by.at)?.held);
  }

  /**
   * Whether the service kept another client's value, which was to go, and nobody can know it: what is in force now has
   * that value at an address that was registered before the write, so that the other client may have set both again.
   */
  function isLikeAnothers({ by, type, held }: Event): boolean {
    if (by === null || held?.value === by.value) return false;
    const all = eventsOf(type);
    return (
      all.some((one) => one.by === null && one.held?.value === held?.value) &&
      all.some((one) => one.at < by.at && sameUrl(one.held, held?.url))
    );
  }

  /**
   * Whether another client set this value after Gancho had set none, or before any answer of the list had the type, and
   * none showed a value since: to Gancho nothing became different, and where its next write leaves the value out, the
   * service may keep it. `askedAt`: when a save was pressed of which nobody can know whether anything left.
   */
  function isHiddenFromGancho(
    type: Type,
    value: string | null | undefined,
    askedAt = Infinity,
  ): boolean {
    const set = eventsOf(type).find(({ by, held }) => by === null && held?.value === value);
    if (value === null || set === undefined) return false;
    const writes = client.writes.filter((write) => write.type === "both" || write.type === type);
    const next = writes.find(({ at }) => at > set.at);
    const isUnlisted =
      next?.value === null &&
      writes.every(
        ({ at, value: sent, status }) => at >= next.at || sent === null || isRefusal(status),
      ) &&
      client.lists.every(
        ({ until, items }) => until > next.at || items.every((item) => item.type !== type),
      );
    return (
      (askedAt < set.at ||
        writes.some((write) => write.at < set.at && write.value === null) ||
        isUnlisted) &&
      client.lists
        .filter(({ from }) => from > set.at)
        .every(({ items }) => items.every((item) => item.type !== type || item.shown === null))
    );
  }

  /** Whether, when it was sent, the list showed exactly the value that Gancho had written before for the type. */
  function wasShown(type: Type, write: Write): boolean {
    const before = client.writes.findLast(
      (other) =>
        other.at < write.at &&
        pressOf(other) !== pressOf(write) &&
        !isRefusal(other.status) &&
        (other.type === "both" || other.type === type),
    );
    const item = client.lists
      .findLast(({ until }) => until <= write.at)
      ?.items.find((one) => one.type === type);
    return typeof before?.value === "string" && item?.shown === before.value;
  }

  /** The moment from which on an older state must not be shown any more. */
  function sinceLastSave(startedAt: number): number {
    const known = presses.flatMap((press) => {
      const isKnown = press.answer?.result?.outcome === "saved" && press.endedAt < startedAt;
      return isKnown ? writesOf(press).map(({ at }) => at) : [];
    });
    return Math.max(-Infinity, ...known);
  }

  function judgeOutside({ type, before, after }: Omit<Change, "outcome">, until: number) {
    // Another value with the same address is said to be shown, and not to have been changed by somebody.
    if (sameUrl(before, after?.callbackUrl)) return;
    if (after === null && isMissing(type, until)) return;
    check(
      eventsOf(type).some(
        (event) =>
          (event.by === null || isUntraceable(event)) &&
          event.at <= until &&
          sameUrl(event.held, after?.callbackUrl),
      ),
      after === null ? "outside: nothing is registered any more" : "outside: another address",
      () => `${type} ${before?.callbackUrl} → ${after?.callbackUrl}`,
    );
  }

  /** What every answer of the list leaves out for so long is not registered, as far as anybody can know. */
  function isMissing(type: Type, until: number): boolean {
    const lists = client.lists.filter(({ from }) => from <= until);
    let since: number | undefined;
    return lists.some(({ items, from, until: answeredAt }) => {
      since = items.some((item) => item.type === type) ? undefined : (since ?? from);
      return since !== undefined && answeredAt - since >= missingMs;
    });
  }

  function judgePress(press: Press) {
    const { id, person, url, answer, asked, startedAt, endedAt } = press;
    const mine = writesOf(press);
    const what = `${person.name} ${press.action} ${url}`;
    judgeWrites(press, mine);
    check(answer?.code !== "internal_error", "a fault of Gancho's", () => what);
    const save = saves.find((each) => each.id === id);
    const rows = history.filter(
      ({ kind, detail }) =>
        kind === "save" && detail.saveId !== undefined && detail.saveId === save?.id,
    );
    const last = rows.at(-1);
    if (save)
      // Recorded after its answer was overdue: it is not sent, and closed later.
      check(
        last !== undefined || save.state === "recorded",
        "nothing was said in the end",
        () => what,
      );
    else check(mine.length === 0, "a write without an intent", () => what);
    for (const row of rows) {
      const { id: actor } = press.approver ?? person;
      check(row.actor_id === actor, "another person's save in the history", () => what);
      for (const change of row.detail.changes ?? [])
        judgeReport(press, change, row === last, "history");
    }
    const isSaid = (result: { open?: boolean | undefined } | null | undefined) =>
      rows.length <= 1 && !result?.open;
    for (const result of answer?.result?.results ?? [])
      judgeReport(press, result, isSaid(answer?.result), "answer");
    for (const result of asked?.result?.results ?? []) judgeReport(press, result, true, "asked");
    check(
      asked?.outcome !== "none" || mine.length === 0,
      "asked: it was never sent",
      () => `${what}: ${mine.length} writes`,
    );

    if (!answer) return;
    if (answer.applied === "no")
      check(
        mine.every(({ at }) => at <= endedAt),
        "sent after it was answered as not saved",
        () => what,
      );
    const during = unrests.filter(({ from, until }) => from <= endedAt && until >= startedAt);
    const kinds = new Set(during.map(({ kind }) => kind));
    const isInterrupted = kinds.has("stopped") || kinds.has("killed");
    check(
      answer.ms <= maxMs || isInterrupted || kinds.has("busy"),
      "answered late",
      () => `${what}: ${Math.round(answer.ms)} ms`,
    );
    const isUnknown = answer.applied === "unknown" || answer.result?.outcome === "unknown";
    check(
      !isUnknown || mine.length > 0 || isInterrupted || answer.ms >= overdueMs,
      "unknown, though nothing was sent",
      () => what,
    );
    if (answer.code !== "save_in_progress") return;
    // One that was answered because its time was over may go on for as long as it holds the lock.
    const lastsMs = ({ answer: given }: Press) => (given && given.ms >= overdueMs ? lockMs : 1_000);
    const others = presses.filter(
      (other) =>
        other !== press &&
        other.startedAt <= endedAt &&
        other.endedAt >= startedAt - lastsMs(other),
    );
    const before = unrests.filter(
      ({ from, until }) => from <= endedAt && until >= startedAt - lockMs,
    );
    // A process that stood still in the middle of a save, or of recording one, goes on with it afterwards.
    check(
      others.length > 0 || before.some(({ kind }) => kind === "stopped"),
      "refused because of another save, and there is none",
      () => `${what}${before.some(({ kind }) => kind === "killed") ? ", after a kill" : ""}`,
    );
  }

  /** What it wrote: what was typed, or what was in force and was written with Gancho before. */
  function judgeWrites(press: Press, mine: readonly Write[]) {
    const { action, value, startedAt, types: wanted, person, url } = press;
    const again = mine.filter(({ status }) => status === 401).length;
    check(mine.length <= wanted.length + again, "too many writes for one press", () => url);
    for (const write of mine) {
      const isOf = (type: Type) => write.type === "both" || write.type === type;
      check(
        wanted.some(isOf) && (write.type !== "both" || wanted.length === 2),
        "a write of another type",
        () => `${write.type} ${url}`,
      );
      if (value !== undefined) {
        check(write.value === value, "another value than was typed", () => url);
        continue;
      }
      for (const type of wanted.filter(isOf)) {
        const held = inForce(type, startedAt, write.at);
        const before = client.writes.filter(
          (other) => other.at < write.at && (other.type === "both" || other.type === type),
        );
        const wasSeen =
          before.some(({ status }) => !isRefusal(status)) ||
          client.lists.some(
            ({ until, items }) => until <= write.at && items.some((item) => item.type === type),
          );
        // Nobody could know what the service hid from the first answer on, or what another client set where Gancho had set
        // none and the list shows none.
        const isHeld = held.some((one) => (one?.value ?? null) === write.value);
        const isHidden = held.some((one) => isHiddenFromGancho(type, one?.value));
        check(
          isHeld || (write.value === null && (!wasSeen || isHidden)),
          write.value === null ? "keep removed the value" : "keep wrote what was only shown",
          () => `${type} ${url} ${write.value}`,
        );
        check(
          !isHeld || write.value === null || before.some((other) => other.value === write.value),
          "keep wrote another's value",
          () => `${type} ${url} ${write.value}`,
        );
      }
    }
    if (person.role !== "editor" || action === "replace") return;
    for (const type of wanted) {
      const all = eventsOf(type);
      all.forEach(({ held, by, at }, index) => {
        const { held: before = null, at: setAt = Infinity, by: setBy } = all[index - 1] ?? {};
        if (!by || !mine.includes(by) || !held?.value || held.value !== before?.value) return;
        // Nobody could know of a value that was set after the write was sent, or that another client set and no answer of
        // the list had shown by then: it took effect later and kept it.
        const wasListed = client.lists.some(
          ({ from, until, items }) =>
            from >= setAt && until <= by.at && items.some((item) => item.type === type),
        );
        if (setAt > by.at || (setBy === null && !wasListed)) return;
        const wasThere = all
          .slice(0, index)
          .some(
            (one) =>
              one.held?.value === held.value && originOf(one.held.url) === originOf(held.url),
          );
        const isRace = all.some(
          (one) => one.by === null && one.at >= startedAt - lagMs && one.at <= at,
        );
        check(
          originOf(before.url) === originOf(held.url) || wasThere || isRace,
          "an editor moved a secret to another origin",
          () => `${type} ${before.url} → ${held.url}`,
        );
      });
    }
  }

  function judgeReport(press: Press, reported: Reported, isLast: boolean, where: string) {
    const { url, value, startedAt, endedAt } = press;
    const { type, outcome } = reported;
    const all = eventsOf(type);
    const last = all.at(-1);
    const held = inForce(type, startedAt, Infinity);
    // Its process was killed.
    const unsentAt = press.answer === null ? startedAt : Infinity;
    const statuses = writesOf(press)
      .filter((write) => write.type === "both" || write.type === type)
      .map(({ status }) => status);
    const truth = {
      taken: all.some((event) => bySave(event, press)),
      addressed: held.some((one) => sameUrl(one, url)),
      asAsked: held.some(
        (one) =>
          sameUrl(one, url) &&
          (value === undefined ||
            one?.value === value ||
            (value === null && isHiddenFromGancho(type, one?.value, unsentAt))),
      ),
      undone:
        all.findLastIndex((event) => event.by === null || hadEnded(event)) >
        all.findLastIndex((event) => bySave(event, press)),
      isNow:
        last !== undefined &&
        bySave(last, press) &&
        !(isRefused(last) && isUntraceable(last)) &&
        !isLikeAnothers(last),
      changed: all.some((event, index) => {
        const before = all[index - 1]?.held ?? null;
        const isSame = sameUrl(before, event.held?.url) && before?.value === event.held?.value;
        return bySave(event, press) && !isSame;
      }),
      acknowledged: statuses.some((status) => status !== null && status < 300),
      refused: statuses.some(isRefusal),
    };
    check(
      isTrue(reported, truth, isLast),
      `${where} says ${outcome}${reported.authorization ? ", value not shown" : ""}`,
      () =>
        `${type} ${url} ${JSON.stringify(value)}, statuses ${statuses.join()}, ${JSON.stringify(truth)}, ` +
        `in ${Math.round(endedAt - startedAt)} ms`,
    );
  }
}

function sameUrl(
  held: Pick<NonNullable<Held>, "url"> | { callbackUrl: string } | null,
  url: string | undefined,
) {
  if (!held || url === undefined) return false;
  return normalForm("url" in held ? held.url : held.callbackUrl) === normalForm(url);
}

const isRefused = ({ by }: Event) => by !== null && isRefusal(by.status);

const isAcknowledged = ({ status }: Write) => status !== null && status < 300;

const originOf = (url: string) => new URL(url).origin;

/** Whether a reading shows exactly what this answer of the list said. */
function isShown({ items }: Listed, webhooks: Reading["configuration"]["webhooks"]): boolean {
  return types.every((type) => {
    const item = items.find((one) => one.type === type);
    const shown = webhooks.find((webhook) => webhook.type === type);
    if (!item || !shown) return item === undefined && shown === undefined;
    return item.url === shown.callbackUrl && (item.shown !== null) === shown.authorization.set;
  });
}
