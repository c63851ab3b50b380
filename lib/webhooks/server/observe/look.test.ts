import * as timings from "@/lib/platform/runtime/timings";
import * as webhookVersion from "@/lib/webhooks/model/webhook-version";
import { transformSync } from "esbuild";
import { readFileSync } from "node:fs";
import { compileFunction } from "node:vm";
import { expect, it } from "vitest";
import * as rulesAsWritten from "./look";
import { properties } from "./testing/properties";
import { everyEnd, type Rules, type Service, type World } from "./testing/world";

const { isSameSpelling, sameAddress } = webhookVersion;
type Version = webhookVersion.WebhookVersion;

/** Hundreds of millions of comparisons are of a few addresses. */
function remembered(compare: (a: string, b: string) => boolean) {
  const results = new Map<string, Map<string, boolean>>();
  return (a: string, b: string): boolean => {
    if (a === b) return true;
    let known = results.get(a);
    if (!known) results.set(a, (known = new Map<string, boolean>()));
    let result = known.get(b);
    if (result === undefined) known.set(b, (result = compare(a, b)));
    return result;
  };
}

const isSameAddress = remembered(webhookVersion.isSameAddress);
const modules: Record<string, unknown> = {
  "@/lib/platform/runtime/timings": timings,
  "@/lib/webhooks/model/webhook-version": {
    ...webhookVersion,
    isSameAddress,
    isSameSpelling: remembered(isSameSpelling),
    sameAddress: (a: Version, b: Version) =>
      a && b ? isSameAddress(a.callbackUrl, b.callbackUrl) : sameAddress(a, b),
  },
};

const source = readFileSync(new URL("look.ts", import.meta.url), "utf8");

/** The rules with something of them replaced. */
function rulesWith(text: string, replacement: string): Rules {
  const changed = source.replace(text, replacement);
  if (text !== replacement && changed === source) throw new Error(`look.ts has no "${text}"`);
  const { code } = transformSync(changed, { loader: "ts", format: "cjs" });
  const compiled = { exports: {} as Rules };
  compileFunction(code, ["module", "require"])(compiled, (name: string) => modules[name]);
  return compiled.exports;
}

const at = (url: string, value: string | null) => ({ url, value });
const [a, b, c, x] = ["a", "b", "c", "x"].map((name) => `https://${name}.example/hook`) as [
  string,
  string,
  string,
  string,
];
const ported = "https://a.example:8443/hook";
const start = at(a, "d0");

const asks: Service["asks"][] = [
  [at(b, "d1"), at(c, "d2")],
  [at(b, "d1"), at(b, "d2")],
  [at(a, "d1"), at(a, "d2")],
  [at(b, "d1"), start],
  [at(b, null), at(b, "d1")],
  [at(c, null), at(b, "d1")],
  [at(a, "d1"), at(b, "d2")],
  [at(b, "d1"), at(b, "d1")],
];
const others = [
  at(x, "dx"),
  at(b, "dx"),
  at(a, "dx"),
  start,
  at(b, "d1"),
  at(b, null),
  at(c, "d1"),
  at(ported, "d0"),
  at(ported, "d1"),
  null,
];
const ways: Pick<Service, "shows" | "showsLater" | "adds">[] = (["", "/"] as const).flatMap(
  (adds) => [
    { shows: "exactly", adds },
    { shows: "masked", adds },
    { shows: "nothing", adds },
    { shows: "hashed", adds },
    { shows: "exactly", showsLater: "masked", adds },
    { shows: "exactly", showsLater: "hashed", adds },
    { shows: "exactly", showsLater: "nothing", adds },
  ],
);
const starts: Pick<Service, "start" | "isStartSent">[] = [
  { start, isStartSent: true },
  { start, isStartSent: false },
  { start: null, isStartSent: false },
];
const services: Service[] = ways.flatMap((way) =>
  starts.flatMap((first) =>
    asks.flatMap((asked) => others.map((other) => ({ ...way, ...first, asks: asked, other }))),
  ),
);

/** One service in so many; a prime number, so that each way of the service meets each change. */
function* ends(
  rules: Rules,
  { length, oneIn }: { length: number; oneIn: number },
): Generator<World> {
  for (const [i, service] of services.entries())
    if (i % oneIn === 0) yield* everyEnd(rules, service, length);
}

const named = Object.entries(properties);

function faultIn(rules: Rules, end: World): string | null {
  const broken = named.find(([, holds]) => !holds(rules, end));
  return broken ? `${broken[0]}: ${[...end.steps, JSON.stringify(end.service)].join(" | ")}` : null;
}

it("says what was shown, and wakes people for what nobody here asked for, in every short sequence", () => {
  const rules = rulesWith("", "");
  let count = 0;
  const depths = [
    { length: 4, oneIn: 23 },
    { length: 5, oneIn: 397 },
  ];
  for (const depth of depths)
    for (const end of ends(rules, depth)) {
      const fault = faultIn(rules, end);
      if (fault) expect.fail(fault);
      count += 1;
    }
  // eslint-disable-next-line no-console -- How much was tried belongs to the result.
  console.info(`${count} sequences of what can happen to a type`);
  expect(count).toBeGreaterThan(500_000);
  // A slow machine is no fault.
}, 600_000);

const minute = rulesAsWritten.lastsMs;
const shownAs = (url: string, value: string | null): NonNullable<Version> =>
  value === "masked"
    ? { callbackUrl: url, fingerprint: null, hidden: "masked" }
    : { callbackUrl: url, fingerprint: value, ...(value === null && { hidden: "absent" }) };

/** What happened to one type, minute by minute: looks, and saves that were sent. */
function told(rules: Rules) {
  let observed = rules.nothingObserved;
  let saves: (rulesAsWritten.Seen & { name: string })[] = [];
  const story = {
    save: (at: number, name: string, url: string, value: string | null) => {
      const asked = { callbackUrl: url, fingerprint: value };
      saves = [...saves, { name, asked, sentAt: at * minute }];
      observed = { ...observed, sentValue: value };
      return story;
    },
    look: (at: number, shown: Version) => {
      const moment = { at: at * minute, steady: at * minute };
      const looked = rules.look(observed, shown, moment, saves);
      ({ observed, saves } = looked);
      story.news = looked.told && [looked.told.before, looked.told.after];
      return story;
    },
    news: null as null | Version[],
    get observed() {
      return observed;
    },
    /** Since when, and until when, it was shown; in minutes. */
    shown: (name: string) => {
      const { shownAt, shownUntil } = saves.find((save) => save.name === name) ?? {};
      return [shownAt, shownUntil].map((ms) => (ms === undefined ? null : ms / minute));
    },
    address: (name: string) => (saves.find((save) => save.name === name)?.addressAt ?? 0) / minute,
  };
  return story;
}

const [wasA, wasX] = [shownAs(a, "d0"), shownAs(x, "dx")];
const examples: Record<string, (rules: Rules) => void> = {
  "an address that the service writes its own way is shown as asked": (rules) => {
    const story = told(rules)
      .look(0, wasA)
      .save(1, "Ana", b, "d1")
      .look(2, shownAs(`${b}/`, "d1"));
    expect(story.news).toBeNull();
    expect(story.shown("Ana")).toEqual([2, null]);
    story.save(30, "Ana again", b, "d1").look(31, shownAs(`${b}/`, "d1"));
    expect(story.shown("Ana again")).toEqual([31, null]);
  },
  "an address that was there before in another spelling is not what was asked for": (rules) => {
    const there = shownAs(ported, "d0");
    const story = told(rules).save(0, "before", a, "d0").look(1, wasA).look(30, there);
    expect(story.news).toEqual([wasA, there]);
    story.save(40, "Ana", a, "d0").look(41, there);
    expect(story.shown("Ana")).toEqual([null, null]);
    expect(story.observed.difference).not.toBeNull();
    story.look(42, wasA);
    expect(story.shown("Ana")).toEqual([42, null]);
  },
  "a service that begins to hide values wakes nobody, and another value later does": (rules) => {
    const story = told(rules).look(0, wasA).look(20, shownAs(a, "masked"));
    expect(story.news).toBeNull();
    expect(story.look(40, shownAs(a, "d1")).news).toEqual([wasA, shownAs(a, "d1")]);
  },
  "a service that shows nothing in place of a placeholder is told once": (rules) => {
    const [hidden, none] = [shownAs(a, "masked"), shownAs(a, null)];
    const story = told(rules).look(0, hidden).look(20, none);
    expect(story.news).toEqual([hidden, none]);
    expect(story.look(40, none).news).toBeNull();
  },
  "the first save arrives second": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").save(1.5, "Bruno", c, "d2");
    story.look(2, shownAs(c, "d2")).look(5, shownAs(b, "d1"));
    expect(story.news).toBeNull();
    expect(story.shown("Bruno")).toEqual([2, 2]);
    expect(story.shown("Ana")).toEqual([5, null]);
  },
  "a replica that shows an earlier save for the first time wakes nobody": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").save(1.5, "Bruno", c, "d2");
    story.look(2, shownAs(c, "d2")).look(2.2, shownAs(b, "d1")).look(3, shownAs(c, "d2"));
    expect(story.look(5, shownAs(c, "d2")).news).toBeNull();
    expect(story.shown("Bruno")).toEqual([3, null]);
  },
  "an old state that returns is told after a minute": (rules) => {
    const [ana, bruno] = [shownAs(b, "d1"), shownAs(c, "d2")];
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(2, ana);
    story.save(3, "Bruno", c, "d2").look(4, bruno);
    expect(story.look(5, ana).news).toBeNull();
    expect(story.look(6, ana).news).toEqual([bruno, ana]);
  },
  "a state of before that returns for a moment is a lagging replica": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(2, shownAs(b, "d1"));
    expect(story.look(3, wasA).news).toBeNull();
    expect(story.look(3.5, shownAs(b, "d1")).news).toBeNull();
    expect(story.shown("Ana")).toEqual([3.5, null]);
  },
  "it is one even if a look between showed nothing": (rules) => {
    const story = told(rules).look(0, wasA).look(0.5, null).save(11, "Ana", b, "d1");
    expect(story.look(12, shownAs(b, "d1")).look(13, wasA).news).toBeNull();
  },
  "a type that is not listed is told after a minute, and again when it is back": (rules) => {
    const story = told(rules).look(0, wasA).look(20, null);
    expect(story.news).toBeNull();
    expect(story.look(21, null).news).toEqual([wasA, null]);
    expect(story.look(40, wasA).news).toEqual([null, wasA]);
  },
  "a refused save that the list shows was shown": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "refused", b, "d1").look(2, shownAs(b, "d1"));
    expect(story.news).toBeNull();
    expect(story.look(20, wasX).news).toEqual([shownAs(b, "d1"), wasX]);
    expect(story.shown("refused")).toEqual([2, 2]);
  },
  "the late effect of a save sent before a difference does not answer it; a later save does": (
    rules,
  ) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(2, wasX);
    expect(story.news).toEqual([wasA, wasX]);
    story.look(3, shownAs(b, "d1"));
    expect(story.observed.difference).toMatchObject({ before: wasA, after: wasX });
    story.save(4, "Bruno", c, "d2").look(5, shownAs(c, "d2"));
    expect(story.observed.difference).toBeNull();
  },
  "two saves of a value alone at a slow service": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", a, "d1").save(1.05, "Bruno", a, "d2");
    story.look(1.1, wasA).look(1.2, shownAs(a, "d1"));
    expect(story.shown("Ana")).toEqual([1.2, null]);
    story.look(1.3, shownAs(a, "d2"));
    expect(story.news).toBeNull();
    expect(story.shown("Bruno")).toEqual([1.3, null]);
  },
  "a service that keeps an omitted value wakes nobody, though no look showed the save it is from": (
    rules,
  ) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").save(1.5, "Bruno", c, null);
    expect(story.look(2, shownAs(c, "d1")).news).toBeNull();
    expect(story.shown("Bruno")).toEqual([null, null]);
    expect(story.address("Bruno")).toBe(2);
    expect(story.look(15, shownAs(c, "d1")).news).toBeNull();
  },
  "another save's value, or none, is no save's that asked for a value": (rules) => {
    const shows = () =>
      told(rules).save(0, "before", a, "d0").look(1, wasA).save(20, "Ana", b, "d1");
    const other = shows().save(21, "Bruno", c, "d2").look(22, shownAs(c, "d1"));
    expect(other.news).toEqual([wasA, shownAs(c, "d1")]);
    const none = shows().save(21, "Bruno", c, null).look(22, shownAs(b, null));
    expect(none.news).toEqual([wasA, shownAs(b, null)]);
    const shown = shows().look(21, shownAs(b, "d1")).look(23, wasX).save(24, "Bruno", c, null);
    expect(shown.look(25, shownAs(c, "d1")).news).toEqual([wasX, shownAs(c, "d1")]);
  },
  "a replica that flaps does not make the others forgotten": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(2, shownAs(b, "d1"));
    for (const at of [3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5])
      story.look(at, wasX).look(at + 0.2, shownAs(b, "d1"));
    expect(story.look(8, wasA).news).toBeNull();
  },
  "a replica that lags shows values in the new way, too": (rules) => {
    const story = told(rules).save(0, "before", a, "d0").look(1, wasA).save(20, "Ana", b, "d1");
    story.look(21, shownAs(b, "d1")).look(22, shownAs(b, "hash 1"));
    expect(story.news).toEqual([shownAs(b, "d1"), shownAs(b, "hash 1")]);
    expect(story.look(22.5, shownAs(a, "hash 0")).news).toBeNull();
    expect(story.look(23, shownAs(b, "hash 1")).look(24, shownAs(b, "hash 1")).news).toBeNull();
  },
  "a value that a save asked for is settled at once, though its address is known": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", a, "d1").look(1.1, shownAs(a, "d1"));
    story.save(2, "Bruno", a, "d2").look(2.1, shownAs(a, "d2"));
    expect(story.observed.settled).toEqual(shownAs(a, "d2"));
  },
  "two states that alternate for longer than a replica may lag are told, once": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1");
    const news = [];
    for (let at = 2; at < 60; at += 1) {
      story.look(at, shownAs(b, "d1"));
      if (story.news) news.push([at, ...story.news]);
      story.look(at + 0.5, wasA);
      if (story.news) news.push([at, ...story.news]);
    }
    expect(news).toEqual([[12, shownAs(b, "d1"), wasA]]);
  },
  "two states that alternate are told, though a difference is open": (rules) => {
    const [ana, bruno] = [shownAs(b, "d1"), shownAs(c, "d2")];
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(2, ana);
    story.save(3, "Bruno", c, "d2").look(4, bruno).look(5, wasX);
    const news = [];
    for (let at = 6; at < 16; at += 1) {
      story.look(at, ana);
      if (story.news) news.push([at, ...story.news]);
      story.look(at + 0.5, wasA);
      if (story.news) news.push([at, ...story.news]);
    }
    expect(news[0]).toEqual([12, wasX, wasA]);
  },
  "two looks within a minute after a save's time may both meet a lagging replica": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1");
    story.look(11.1, wasA).look(11.2, wasA).look(11.3, shownAs(b, "d1"));
    expect(story.news).toBeNull();
    const unlisted = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(11.1, null);
    unlisted.look(11.5, wasA).look(12.2, wasA).look(12.3, shownAs(b, "d1"));
    expect(unlisted.news).toBeNull();
    const late = told(rules).look(0, wasA).save(1, "Ana", b, "d1");
    late.look(11.1, wasA).look(11.6, wasA).look(12.1, wasA).look(12.2, shownAs(b, "d1"));
    expect(late.news).toEqual([wasA, shownAs(b, "d1")]);
  },
  "the address with a placeholder is the address alone": (rules) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(2, shownAs(b, "masked"));
    expect(story.news).toBeNull();
    expect(story.shown("Ana")).toEqual([null, null]);
    expect(story.address("Ana")).toBe(2);
    expect(rules.mayKeep(story.observed, shownAs(b, "masked"))).toBe(false);
  },
  "a save that takes effect late in its time wakes nobody, though a replica lags after it": (
    rules,
  ) => {
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(7, wasA).look(8, wasA);
    expect(story.look(10.9, wasA).look(11.1, wasA).look(11.2, shownAs(b, "d1")).news).toBeNull();
  },
  "a value is shown in another way once for each save": (rules) => {
    const story = told(rules).look(0, shownAs(a, "hash 0")).save(1, "Ana", a, "d1");
    expect(story.look(2, shownAs(a, "hash 1")).news).toBeNull();
    const other = shownAs(a, "hash x");
    expect(story.look(3, other).look(4, other).news).toEqual([shownAs(a, "hash 1"), other]);
  },
  "no value in place of the one asked for is told": (rules) => {
    const before = shownAs(x, "hash 0");
    const story = told(rules).look(0, before).save(1, "Ana", b, "d1");
    expect(story.look(2, shownAs(b, null)).news).toEqual([before, shownAs(b, null)]);
  },
  "two saves of a value at a list with a way of its own": (rules) => {
    const [one, two] = [shownAs(b, "hash 1"), shownAs(b, "hash 2")];
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").save(1.5, "Bruno", b, "d2");
    story.look(2, two).look(2.2, one).look(3, two);
    expect(story.look(5, two).news).toBeNull();
  },
  "what was shown as asked is not shown in another way": (rules) => {
    const asked = shownAs(b, "d1");
    const story = told(rules)
      .look(0, wasA)
      .look(20, asked)
      .save(21, "Ana", b, "d1")
      .look(22, asked);
    const [one, two] = [shownAs(b, "dx"), shownAs(b, "dy")];
    expect(story.look(23, one).news).toEqual([asked, one]);
    expect(story.look(24, two).look(25, two).news).toEqual([one, two]);
  },
  "what a save asked for may return after what another client wrote": (rules) => {
    const ana = shownAs(b, "d1");
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(2, ana);
    expect(story.look(3, wasX).news).toEqual([ana, wasX]);
    expect(story.look(4, ana).look(5, ana).news).toBeNull();
  },
  "a lagging replica makes no save old": (rules) => {
    const [ana, bruno] = [shownAs(b, "d1"), shownAs(c, "d2")];
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").save(1.5, "Bruno", c, "d2");
    story.look(2, bruno).look(3, ana).look(3.2, bruno).look(3.4, ana);
    expect(story.look(4, wasX).news).toEqual([ana, wasX]);
    expect(story.look(5, ana).look(6, ana).news).toBeNull();
  },
  "a difference is told again once a replica cannot have hidden it": (rules) => {
    const ana = shownAs(b, "d1");
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").look(2, wasX);
    story.look(2.2, ana).look(3, wasX);
    expect(story.look(4, wasX).news).toBeNull();
    story.look(5, ana).look(6, ana);
    expect(story.look(20, wasX).news).toEqual([ana, wasX]);
  },
  "a later save answers a difference with a placeholder at another address": (rules) => {
    const story = told(rules).look(0, shownAs(a, "masked")).look(20, shownAs(x, "masked"));
    story.save(21, "Ana", b, "d1").look(22, shownAs(b, "masked"));
    expect(story.observed.difference).toBeNull();
  },
  "a later save at an address that was told answers only a difference of the value there": (
    rules,
  ) => {
    const story = told(rules).look(0, wasA).look(20, wasX);
    story.save(21, "Ana", x, "d1").look(22, shownAs(x, "d1"));
    expect(story.news).toBeNull();
    expect(story.observed.difference).toMatchObject({ before: wasA, after: wasX });
    story.look(40, shownAs(c, "dx")).save(41, "Bruno", `${x}/`, "d2").look(42, shownAs(x, "d2"));
    expect(story.observed.difference).toMatchObject({ before: wasA, earlier: [x] });
    story.save(43, "Carla", a, "d3").look(45, shownAs(a, "d3"));
    expect(story.observed.difference).toBeNull();
    story.look(60, shownAs(a, "dx")).save(61, "Ana", a, "d4").look(62, shownAs(a, "hash 4"));
    story.look(64, shownAs(a, "hash 4"));
    expect(story.news).toBeNull();
    expect(story.observed.difference).not.toBeNull();
    story.look(65, shownAs(a, "d4")).look(67, shownAs(a, "d4"));
    expect(story.observed.difference).toBeNull();
  },
  "a lagging replica answers no difference": (rules) => {
    const story = told(rules)
      .look(0, wasA)
      .look(20, wasX)
      .save(21, "Ana", a, "d0")
      .look(21.2, wasA);
    expect(story.observed.difference).not.toBeNull();
    expect(story.look(23, wasA).observed.difference).toBeNull();
  },
  "a look shows nothing of a save that was sent after it": (rules) => {
    const there = shownAs(b, "d1");
    const story = told(rules).look(0, wasA).save(2.1, "Ana", b, "d1").look(2, there);
    expect(story.news).toEqual([wasA, there]);
    expect(story.shown("Ana")).toEqual([null, null]);
  },
  "an address that was written in one way is not written in another": (rules) => {
    const [one, two] = [shownAs(`${a}/`, "d1"), shownAs(`${ported}/`, "d1")];
    const story = told(rules).look(0, wasX).save(1, "Ana", a, "d1").look(2, one);
    expect(story.look(3, two).news).toEqual([one, two]);
  },
  "a list that shows one value shows the others": (rules) => {
    const ana = shownAs(b, "d1");
    const story = told(rules).look(0, wasA).save(1, "Ana", b, "d1").save(1.5, "Bruno", c, "d2");
    expect(story.look(2, ana).look(3, shownAs(c, "dx")).news).toEqual([ana, shownAs(c, "dx")]);
  },
  "a list that begins to show values in a way of its own is told once": (rules) => {
    const story = told(rules)
      .save(0, "before", a, "d0")
      .look(1, wasA)
      .look(20, shownAs(a, "hash 0"));
    expect(story.news).toEqual([wasA, shownAs(a, "hash 0")]);
    expect(story.save(21, "Ana", b, "d1").look(22, shownAs(b, "hash 1")).news).toBeNull();
  },
  "a further difference keeps what was shown before the first": (rules) => {
    const story = told(rules).look(0, wasA).look(20, wasX).look(40, shownAs(c, "dx"));
    expect(story.observed.difference).toMatchObject({
      before: wasA,
      after: shownAs(c, "dx"),
      since: 0,
    });
  },
  "a value where none was asked for is told": (rules) => {
    const story = told(rules).look(0, wasX).save(1, "Ana", b, null);
    expect(story.look(2, shownAs(b, "d1")).news).toEqual([wasX, shownAs(b, "d1")]);
  },
  "a type that is registered without the value that was asked for is told where the list shows values":
    (rules) => {
      const story = told(rules)
        .save(0, "Ana", a, "d1")
        .look(1, shownAs(a, "d1"))
        .look(20, null)
        .look(21, null);
      const none = shownAs(a, null);
      expect(story.save(22, "Bruno", a, "d2").look(23, none).look(24, none).news).toEqual([
        null,
        none,
      ]);
    },
};

it.each(Object.entries(examples))("%s", (_name, holds) => holds(rulesAsWritten));

/** Each takes something away from a rule. */
const mutants: [rule: string, text: string, replacement: string][] = [
  [
    "R1: a look explains a save sent after it",
    "!save.over && save.sentAt <= now.steady",
    "!save.over",
  ],
  [
    "R2: a placeholder is a value",
    "return one !== null && other !== null && (one === masked || other === masked);",
    "return false;",
  ],
  ["R2: a placeholder may be no value", "return one !== null && other !== null && (", "return ("],
  ["R3: nothing lags", "const counts = !isNews || !mayLag ||", "const counts = true || !mayLag ||"],
  [
    "R3: only what is not listed lags",
    "shown === null || recent.some(({ state }) => isRecent(state))",
    "shown === null",
  ],
  ["R3: another value does not lag", "(sameAddress(state, shown) && !live", "(!state && !live"],
  ["R3: any value lags", "!live.some((save) => isExact(save, shown))", "true"],
  ["R3: what is shown again lags for ever", "difference !== null && !isNews &&", "!isNews &&"],
  [
    "R3: what alternates lags for ever",
    "difference !== null && !isNews &&",
    "difference !== null &&",
  ],
  [
    "R3: what alternates is told for ever",
    "difference !== null && !isNews &&",
    "false && !isNews &&",
  ],
  ["R3: what is not listed does not lag", "shown === null || recent.some", "recent.some"],
  [
    "R3: what fits a save counts",
    "|| now.steady - since.steady >= lastsMs",
    "|| saves.some((save) => explains(save, shown, settled)) || now.steady - since.steady >= lastsMs",
  ],
  ["R3: what may lag never counts", "now.steady - since.steady >= lastsMs", "false"],
  [
    "R3: what was settled does not lag",
    "recent: settled && isNews && counts ? withEnded(recent, settled, now) : recent",
    "recent",
  ],
  [
    "R3: one state takes the place of many",
    "recent.filter((other) => !isSame(other.state, state))",
    "recent",
  ],
  ["R4: one look after its time is enough", "return { overAt: steady };", "return { over: true };"],
  ["R4: two looks at once are enough", "steady - overAt >= lastsMs", "steady >= overAt"],
  ["R4: a look that does not count is enough", "...(counts && overAfter", "...(overAfter"],
  [
    "R4: a save explains for half its time",
    "sentAt + windowMs) return {}",
    "sentAt + windowMs / 2) return {}",
  ],
  ["R4: a save explains for ever", "{ over: true } : {}", "{} : {}"],
  [
    "R5: only the spelling that was asked",
    "return isAt(shown, asked);\n}",
    "return sameAddress(shown, asked);\n}",
  ],
  [
    "R5: any spelling, though one is settled",
    "if (settled && sameAddress(settled, asked)) return",
    "if (settled && !asked) return",
  ],
  ["R5: any spelling after its form", "return !hasFormInFull(save) && mayBeAt", "return mayBeAt"],
  ["R5: any value", "&& isValue(shown, save.asked);", "&& !!shown;"],
  ["R6: any number of forms", "save.form === undefined &&\n      save.shownAt", "save.shownAt"],
  ["R6: not with the settled value", "(!!settled && valueOf(shown) === valueOf(settled)) ||", ""],
  ["R6: not with a value that was kept", "(asked.fingerprint === null && isKept) ||", ""],
  ["R6: with a value that was shown", "form === undefined && valueOf(asked)", "valueOf(asked)"],
  ["R6: with another save's value", "asked.fingerprint === null && isKept", "isKept"],
  [
    "R6: not another value",
    "(asked.fingerprint !== null && !showsValues &&",
    '(asked.fingerprint === "" && !showsValues &&',
  ],
  [
    "R6: though the list shows values",
    "asked.fingerprint !== null && !showsValues &&",
    "asked.fingerprint !== null &&",
  ],
  [
    "R6: though no value was asked for",
    "asked.fingerprint !== null && !showsValues &&",
    "!showsValues &&",
  ],
  ["R6: though no value is shown", "(valueOf(shown) !== null || settled === null)", "true"],
  [
    "R6: not where nothing was registered",
    "(valueOf(shown) !== null || settled === null)",
    "valueOf(shown) !== null",
  ],
  ["R6: the save sent first", "forms.findLast", "forms.find"],
  ["R6: though it was shown", "save.shownAt === undefined &&", ""],
  ["R7: never", "return showsValues && !(", "return false && !("],
  ["R7: always", "return showsValues && !(isUnexplained && isAtKnown);", "return true;"],
  ["R7: for ever", "return showsValues && !(isUnexplained && isAtKnown);", "return showsValues;"],
  [
    "R7: not by what a save shows",
    "value === sentValue || by.some((save) => isExact(save, shown))",
    "value === sentValue",
  ],
  ["R7: not by the value sent last", "value === sentValue || by.some", "by.some"],
  ["R8: never", "return isReplaced ?", "return isReplaced && false ?"],
  ["R8: by an earlier save", "by.some(({ sentAt }) => sentAt > save.sentAt)", "true"],
  [
    "R8: by another client",
    "by.some(({ sentAt }) => sentAt >",
    "by.every(({ sentAt }) => sentAt >",
  ],
  ["R8: before it counts", "isNews && counts ? saves.map", "isNews ? saves.map"],
  [
    "R9: told again while it is open",
    "const isStillOpen = mayLag &&",
    "const isStillOpen = false &&",
  ],
  ["R9: not told again once it cannot lag", "const isStillOpen = mayLag &&", "const isStillOpen ="],
  ["R9: answered by an earlier save", "save.sentAt > difference.told.steady &&", ""],
  ["R9: answered at its own address", "(isShown(save) || !isAt(shown, difference.after))", "true"],
  [
    "R9: answered at another address alone",
    "(isShown(save) || !isAt(shown, difference.after))",
    "!isAt(shown, difference.after)",
  ],
  [
    "R9: answered exactly alone",
    "(isShown(save) || !isAt(shown, difference.after))",
    "isShown(save)",
  ],
  ["R9: answered where it was told", "!isMovedTo(shown, difference) &&", ""],
  [
    "R9: answered where it was told before",
    "const told = after ? [...earlier, after.callbackUrl] : earlier;",
    "const told = after ? [after.callbackUrl] : [];",
  ],
  [
    "R9: not answered where it was before",
    "if (!shown || sameAddress(shown, difference.before)) return false;",
    "if (!shown) return false;",
  ],
  ["R9: answered by what does not count", "const left = counts && by.some", "const left = by.some"],
  [
    "R9: never answered",
    "const left = counts && by.some(answersIt) ? null : difference;",
    "const left = difference;",
  ],
  [
    "R9: forgets what was before it",
    "before: left ? left.before : told.before,",
    "before: told.before,",
  ],
  ["R10: a placeholder is settled", "(isNews || !settled || !isMasked(shown))", "true"],
  [
    "R10: the first state is told",
    "settled !== undefined && !isAlike(settled, shown)",
    "!isAlike(settled ?? null, shown)",
  ],
  ["R10: news is not settled", "settled: counts && (isNews || ", "settled: counts && (!isNews || "],
  ["R11: any value is kept", "value !== masked && value === sentValue", "value !== masked"],
  [
    "shown in any spelling",
    "return isSame(save.asked, shown) || saves.some(isItsForm);",
    "return isExact(save, shown);",
  ],
  [
    "shown in no other spelling",
    "return isSame(save.asked, shown) || saves.some(isItsForm);",
    "return isSame(save.asked, shown);",
  ],
  ["shown since the first time", "shownAt: isAgain ? at :", "shownAt: isAgain ? shownAt :"],
  ["shown until now", "shownUntil: before.lookedAt ?? at", "shownUntil: at"],
];

it.each(mutants)("something of the above is false with this mutant: %s", (_, text, replacement) => {
  const rules = rulesWith(text, replacement);
  const isExampleFalse = Object.values(examples).some((holds) => {
    try {
      holds(rules);
      return false;
    } catch {
      return true;
    }
  });
  if (isExampleFalse) return;
  for (const end of ends(rules, { length: 3, oneIn: 7 })) if (faultIn(rules, end)) return;
  expect.fail("nothing shows it");
});
