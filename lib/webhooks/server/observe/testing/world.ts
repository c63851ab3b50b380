import type { WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import type * as rules from "../look";

/**
 * All that can happen to one type in a few steps: two people save, another client writes, the service takes its time,
 * its replicas lag, and it shows values and addresses its own way. Between the steps Gancho looks.
 */

export type Rules = typeof rules;

/** What the service holds; null: the type is not registered. */
type Held = { url: string; value: string | null } | null;
type Shows = "exactly" | "masked" | "nothing" | "hashed";

export type Service = {
  start: Held;
  /** Gancho had sent the value with which it starts. */
  isStartSent: boolean;
  /** What two people ask for, one after the other. */
  asks: readonly [NonNullable<Held>, NonNullable<Held>];
  /** What another client may write. */
  other: Held;
  shows: Shows;
  /** What it may change to. */
  showsLater?: Shows | undefined;
  /** What it adds to every address. */
  adds: "" | "/";
};

export type Save = rules.Seen & { by: 0 | 1; appliedAt?: number };
type Truth = { held: Held; by: "start" | "other" | Save["by"]; from: number; until: number };

/** A look: what it showed, and which truth that was; null where a replica left the type out. */
export type Sight = {
  at: number;
  shown: WebhookVersion;
  truth: Truth | null;
  isLagging: boolean;
  counts: boolean;
  settledBefore: WebhookVersion | undefined;
};

export type World = {
  service: Service;
  now: number;
  /** The last one is what the service holds now. */
  truths: readonly Truth[];
  showsLater: boolean;
  observed: rules.Observed;
  saves: readonly Save[];
  sights: readonly Sight[];
  told: readonly rules.Difference[];
  steps: readonly string[];
};

export const truthOf = ({ truths }: World) => truths.at(-1) as Truth;

/** How the list shows it. */
export function shownAs({ service, showsLater }: World, held: Held): WebhookVersion {
  if (held === null) return null;
  const shows = (showsLater && service.showsLater) || service.shows;
  const callbackUrl = held.url + service.adds;
  if (held.value === null || shows === "nothing")
    return { callbackUrl, fingerprint: null, hidden: "absent" };
  if (shows === "masked") return { callbackUrl, fingerprint: null, hidden: "masked" };
  return { callbackUrl, fingerprint: shows === "hashed" ? `hash of ${held.value}` : held.value };
}

/** The looks' unit: what lasts, and how long a save is looked for, are the real ones of `rules`. */
const secondsOf = ({ windowMs }: Rules) => windowMs / 600;

function looked(rules: Rules, world: World, seconds: number, truth: Truth | null): World {
  const at = world.now + seconds * secondsOf(rules);
  const shown = truth && shownAs(world, truth.held);
  const { observed, saves, told, counts } = rules.look(
    world.observed,
    shown,
    { at, steady: at },
    world.saves,
  );
  const isLagging = truth !== truthOf(world);
  const sight = { at, shown, truth, isLagging, counts, settledBefore: world.observed.settled };
  const { service, truths, showsLater, steps } = world;
  // Named one by one: this runs millions of times, and spreading the world is the slowest of it.
  return {
    service,
    now: at,
    truths,
    showsLater,
    observed,
    saves,
    sights: [...world.sights, sight],
    told: told && observed.difference ? [...world.told, observed.difference] : world.told,
    steps,
  };
}

function written(rules: Rules, world: World, held: Held, by: Truth["by"]): World {
  const now = world.now + secondsOf(rules);
  const before = { ...truthOf(world), until: now };
  const truths = [...world.truths.slice(0, -1), before, { held, by, from: now, until: Infinity }];
  return { ...world, now, truths };
}

function sent(rules: Rules, world: World): World {
  const by = world.saves.length === 0 ? 0 : 1;
  const { url: callbackUrl, value } = world.service.asks[by];
  const now = world.now + secondsOf(rules);
  const save = { by, asked: { callbackUrl, fingerprint: value }, sentAt: now } as const;
  const observed = { ...world.observed, sentValue: value };
  return { ...world, now, saves: [...world.saves, save], observed };
}

function applied(rules: Rules, world: World, by: Save["by"]): World {
  const next = written(rules, world, world.service.asks[by], by);
  const saves = next.saves.map((save) =>
    save.by === by ? { ...save, appliedAt: next.now } : save,
  );
  return { ...next, saves };
}

/** A look whose answer came before a save was sent, and is stored after that. */
function overtaken(rules: Rules, world: World): World {
  const next = sent(rules, { ...world, now: world.now + secondsOf(rules) });
  const look = looked(rules, { ...next, now: world.now }, 1, truthOf(world));
  return { ...look, now: next.now };
}

/** What a lagging replica may show now: it lags by less than ten minutes, and for less than a minute at a time. */
function laggingTruths(rules: Rules, world: World): (Truth | null)[] {
  const { windowMs, lastsMs } = rules;
  const at = world.now + 5 * secondsOf(rules);
  const fresh = world.sights.findLastIndex(({ isLagging }) => !isLagging);
  const since = world.sights[fresh + 1]?.at ?? at;
  if (at - since >= lastsMs) return [];
  const older = world.truths.slice(0, -1).findLast(({ until }) => at - until < windowMs);
  return older ? [null, older] : [null];
}

type Next = readonly [step: string, world: World];

function* nextOf(rules: Rules, world: World): Generator<Next> {
  const { service, saves, truths, steps } = world;
  const by = saves.length === 0 ? 0 : 1;
  if (saves.length < 2) {
    const next = sent(rules, world);
    yield [`save ${by + 1}, applied at once`, applied(rules, next, by)];
    yield [`save ${by + 1}`, next];
    yield [`save ${by + 1} during a look`, applied(rules, overtaken(rules, world), by)];
  }
  for (const save of saves)
    if (save.appliedAt === undefined)
      yield [`save ${save.by + 1} applied`, applied(rules, world, save.by)];
  if (truths.filter((truth) => truth.by === "other").length < 2)
    yield ["another client writes", written(rules, world, service.other, "other")];
  if (service.showsLater && !world.showsLater)
    yield ["values shown in another way", { ...world, showsLater: true }];
  yield ["look", looked(rules, world, 5, truthOf(world))];
  if (steps.at(-1)?.includes("look"))
    yield ["look a minute later", looked(rules, world, 61, truthOf(world))];
  for (const truth of laggingTruths(rules, world))
    yield [`look at a ${truth ? "lagging" : "broken"} replica`, looked(rules, world, 5, truth)];
  if (steps.length > 0 && steps.filter((step) => step === waited).length < 3)
    yield [waited, { ...world, now: world.now + 330 * secondsOf(rules) }];
}

const waited = "five minutes";

/** Then looks show what the service holds, until nothing more can follow from what was done. */
function atTheEnd(rules: Rules, world: World): World {
  return [5, 61, 700, 61].reduce(
    (end, seconds) => looked(rules, end, seconds, truthOf(end)),
    world,
  );
}

function opening(rules: Rules, service: Service): World {
  const observed = {
    ...rules.nothingObserved,
    sentValue: service.isStartSent ? (service.start?.value ?? null) : null,
  };
  const truths = [{ held: service.start, by: "start", from: 0, until: Infinity } as const];
  const none = { saves: [], sights: [], told: [], steps: [] };
  const world = { service, now: 0, truths, showsLater: false, observed, ...none };
  return looked(rules, world, 1000, truths[0] ?? null);
}

/** The ends of all sequences of so many steps and fewer. */
export function* everyEnd(rules: Rules, service: Service, length: number): Generator<World> {
  function* from(world: World): Generator<World> {
    yield atTheEnd(rules, world);
    if (world.steps.length === length) return;
    for (const [step, next] of nextOf(rules, world))
      yield* from({ ...next, steps: [...world.steps, step] });
  }
  yield* from(opening(rules, service));
}
