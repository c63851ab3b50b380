import { verdicts } from "@/lib/endpoint-check/model/check";
import { toneOf as toneOfVerdict } from "@/lib/endpoint-check/model/verdict";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { describe, expect, it } from "vitest";
import { toneOf, worstTone } from "./tone";
import { attentionSchema, type AttentionItem } from "./answer";
import { attentionIn, landing, type EnvironmentFacts, type TypeFacts } from "./attention";

/** Every combination of one value from each list. */
function* combinations<T extends Record<string, readonly unknown[]>>(
  lists: T,
): Generator<{ [K in keyof T]: T[K][number] }> {
  const [first, ...others] = Object.keys(lists);
  if (first === undefined) return yield {} as { [K in keyof T]: T[K][number] };
  const rest = Object.fromEntries(others.map((name) => [name, lists[name]]));
  for (const value of lists[first] ?? [])
    for (const more of combinations(rest as T)) yield { ...more, [first]: value };
}

const registered = {
  url: "https://a/",
  value: "v",
  exposed: false,
  valueUnknown: false,
  valueMissing: false,
  ambiguous: false,
};
const fine: TypeFacts = { registered, difference: null, notShown: null, check: null };

/** Each way in which one type can be, as far as the list tells them apart. */
const typeStates: TypeFacts[] = [
  ...combinations({
    registered: [
      registered,
      { ...registered, url: "https://b/", value: null, valueMissing: true },
      { ...registered, ambiguous: true, value: null },
      { ...registered, exposed: true },
      null,
      undefined,
    ],
    difference: [
      null,
      { at: 1, onlyValue: false, isBack: false },
      { at: 2, onlyValue: true, isBack: true },
    ],
    notShown: [null, { askedAt: 1, until: 2 }],
    check: [
      null,
      { verdict: "accepts_only_with" as const, days: 20 },
      { verdict: "accepts_without" as const, days: null },
      { verdict: "no_answer" as const, days: 21 },
    ],
  }),
];

const calm: EnvironmentFacts = {
  environment: "production",
  isProduction: true,
  connected: true,
  epoch: 1,
  failing: null,
  oldLook: null,
  types: { pix_in: fine, pix_out: fine },
  incident: null,
  waiting: [],
  lacksSecondPerson: false,
};
const elsewhere: EnvironmentFacts = {
  ...calm,
  environment: "sandbox",
  isProduction: false,
  types: {
    pix_in: { ...fine, registered: { ...registered, url: "https://test/", value: "t" } },
    pix_out: { ...fine, registered: null },
  },
};

const order = [
  "not_connected",
  "difference",
  "exposed",
  "failing",
  "not_read",
  "old",
  "recovering",
  "endpoint",
  "certificate",
  "no_value",
  "unclear",
  "not_shown",
  "no_second_person",
  "waiting",
  "not_registered",
  "shared",
];

const itemsIn = (...all: EnvironmentFacts[]): AttentionItem[] => attentionIn(all)[0]?.items ?? [];
const kindsIn = (...all: EnvironmentFacts[]) => itemsIn(...all).map(({ kind }) => kind);

const waiting = [{ id: "w", about: "webhooks" as const, types: ["pix_in" as const] }];
const failing = { code: "credentials_rejected", since: 1 };

function* everyFacts(): Generator<EnvironmentFacts> {
  const surroundings = {
    connected: [true, false],
    failing: [null, failing],
    oldLook: [null, 1],
    waiting: [[], waiting],
    lacksSecondPerson: [true, false],
    incident: [null, { since: 1, types: ["pix_out" as const], credentialsReplaced: true }],
    isProduction: [true, false],
  };
  for (const around of combinations(surroundings)) {
    yield { ...calm, ...around, types: null };
    if (!around.connected) yield { ...calm, ...around };
    else
      for (const types of combinations({ pix_in: typeStates, pix_out: typeStates }))
        yield { ...calm, ...around, types };
  }
}

function isFine(type: TypeFacts | undefined): boolean {
  if (!type?.registered || type.difference || type.notShown) return false;
  const { exposed, valueMissing, ambiguous } = type.registered;
  const isChecked =
    type.check === null ||
    (toneOfVerdict(type.check.verdict) === "ok" && (type.check.days ?? 99) >= 21);
  return !exposed && !valueMissing && !ambiguous && isChecked;
}

describe("what needs attention", () => {
  it("is empty only where each type is registered with a value, without a difference, a bad check or an end in sight", () => {
    let tried = 0;
    const wrong = [];
    for (const facts of everyFacts()) {
      tried += 1;
      const isWell =
        facts.connected &&
        facts.failing === null &&
        facts.oldLook === null &&
        facts.waiting.length === 0 &&
        !facts.lacksSecondPerson &&
        facts.incident === null &&
        webhookTypes.every((type) => isFine(facts.types?.[type]));
      if ((itemsIn(facts).length === 0) !== isWell) wrong.push(facts);
    }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(10_000);
  });

  it("has its kinds in one order, each type at most once in a kind, and parses as its answer", () => {
    const wrong = [];
    for (const facts of everyFacts()) {
      const items = attentionIn([facts, elsewhere])[0]?.items ?? [];
      const places = items.map(({ kind }) => order.indexOf(kind));
      const isInOrder = places.every((place, at) => place >= (places[at - 1] ?? 0));
      const named = items.flatMap((item) =>
        item.kind !== "waiting" && item.kind !== "shared" && "types" in item
          ? item.types.map((type) => `${item.kind} ${type}`)
          : [],
      );
      if (!isInOrder || new Set(named).size < named.length) wrong.push(facts);
    }
    expect(wrong).toEqual([]);
    for (const pix_in of typeStates) {
      const types = { pix_in, pix_out: fine };
      const environments = attentionIn([{ ...calm, types, waiting, lacksSecondPerson: true }]);
      const answer = { partner: "p", environments, approvals: 0 };
      expect(attentionSchema.parse(answer)).toEqual(answer);
    }
  });

  it("is not well where the last look is old, which a reading that fails says already", () => {
    const readAt = "1970-01-01T00:00:00.001Z";
    expect(itemsIn({ ...calm, oldLook: 1 })).toEqual([{ kind: "old", readAt }]);
    expect(kindsIn({ ...calm, oldLook: 1, failing })).toEqual(["failing"]);
    expect(worstTone(itemsIn({ ...calm, oldLook: 1 }))).toBe("warn");
  });

  it("says nothing of types that nobody has read, and only that where a reading fails", () => {
    expect(kindsIn({ ...calm, types: null })).toEqual(["not_read"]);
    expect(kindsIn({ ...calm, types: null, failing })).toEqual(["failing"]);
    const alone = { lacksSecondPerson: true, waiting };
    expect(kindsIn({ ...calm, connected: false, failing, types: null, ...alone })).toEqual([
      "not_connected",
      "no_second_person",
      "waiting",
    ]);
  });

  it.each(verdicts)("names a check that found %s unless it is good or neutral", (verdict) => {
    const checked = { ...fine, check: { verdict, days: null } };
    const items = itemsIn({ ...calm, types: { pix_in: checked, pix_out: fine } });
    const tone = toneOfVerdict(verdict);
    const isNamed = tone === "bad" || tone === "warn";
    expect(items).toEqual(isNamed ? [{ kind: "endpoint", types: ["pix_in"], verdict }] : []);
    expect(worstTone(items)).toBe(isNamed ? tone : null);
  });

  it("puts a receiver that accepts forged messages before one that is down, and the next end of a certificate first", () => {
    const pix_in = { ...fine, check: { verdict: "no_answer" as const, days: 9 } };
    const pix_out = { ...fine, check: { verdict: "accepts_without" as const, days: 3 } };
    expect(itemsIn({ ...calm, types: { pix_in, pix_out } })).toEqual([
      { kind: "endpoint", types: ["pix_out"], verdict: "accepts_without" },
      { kind: "endpoint", types: ["pix_in"], verdict: "no_answer" },
      { kind: "certificate", types: ["pix_out"], days: 3 },
      { kind: "certificate", types: ["pix_in"], days: 9 },
    ]);
  });

  it("names an address and a value that a test environment shares with production, in production alone", () => {
    const test = { ...calm, environment: "sandbox", isProduction: false };
    const [production, sandbox] = attentionIn([calm, test]);
    expect(production?.items).toEqual([
      { kind: "shared", types: ["pix_in", "pix_out"], what: "address", environment: "sandbox" },
      { kind: "shared", types: ["pix_in", "pix_out"], what: "value", environment: "sandbox" },
    ]);
    expect(sandbox?.items).toEqual([]);
    const without = { ...fine, registered: { ...registered, url: "https://c/", value: null } };
    const types = { pix_in: without, pix_out: without };
    expect(
      kindsIn({ ...calm, types }, { ...test, types: { pix_in: fine, pix_out: fine } }),
    ).toEqual([]);
  });

  it("counts an incident's steps from facts, with its difference while that is open, and alone until it is closed", () => {
    const incident = { since: 1, types: ["pix_out" as const], credentialsReplaced: false };
    const moved = { ...fine, difference: { at: 1, onlyValue: false, isBack: false } };
    const leaked = { ...fine, registered: { ...registered, exposed: true } };
    const kinds = (facts: Partial<EnvironmentFacts>) =>
      itemsIn({ ...calm, incident, ...facts }).map((item) => [
        item.kind,
        "steps" in item && item.steps ? Object.values(item.steps) : null,
      ]);
    expect(
      kinds({ types: { pix_in: leaked, pix_out: { ...leaked, difference: moved.difference } } }),
    ).toEqual([
      ["difference", [false, false, false]],
      ["exposed", null],
    ]);
    expect(kinds({ types: { pix_in: leaked, pix_out: leaked } })).toEqual([
      ["exposed", null],
      ["recovering", [true, false, false]],
    ]);
    const steps = (types: Partial<TypeFacts["registered"] & object> | null) =>
      kinds({
        types: {
          pix_in: fine,
          pix_out: { ...fine, registered: types && { ...registered, ...types } },
        },
      }).find(([kind]) => kind === "recovering")?.[1];
    expect(steps({})).toEqual([true, true, false]);
    expect(steps({ valueUnknown: true })).toEqual([true, false, false]);
    expect(steps({ valueMissing: true })).toEqual([true, false, false]);
    expect(steps({ ambiguous: true })).toEqual([false, false, false]);
    expect(steps(null)).toEqual([false, false, false]);
    expect(kinds({ types: null })).toEqual([
      ["not_read", null],
      ["recovering", [false, false, false]],
    ]);
    const otherwise = { ...fine, difference: { at: 1, onlyValue: true, isBack: true } };
    expect(kinds({ types: { pix_in: fine, pix_out: otherwise } })).toEqual([
      ["difference", [true, true, false]],
    ]);
    const replaced = { incident: { ...incident, credentialsReplaced: true } };
    expect(kinds(replaced)).toEqual([["recovering", [true, true, true]]]);
    expect(kinds({ incident: null })).toEqual([]);
  });

  it("is as bad as its worst", () => {
    const [difference] = itemsIn({
      ...calm,
      types: {
        pix_in: { ...fine, difference: { at: 1, onlyValue: false, isBack: false } },
        pix_out: fine,
      },
    });
    expect(difference && toneOf(difference)).toBe("bad");
    expect(worstTone([])).toBe(null);
    expect(worstTone(itemsIn({ ...calm, waiting }))).toBe("info");
    expect(worstTone(itemsIn({ ...calm, waiting, failing }))).toBe("bad");
  });
});

describe("where a person lands", () => {
  const place = (environment: string, kinds: "well" | "waits" | "warn" | "bad" | "new") => ({
    partner: "loja",
    environment,
    epoch: 1,
    isProduction: environment === "production",
    items: (
      {
        well: [],
        waits: [{ kind: "waiting", id: "w", about: "webhooks", types: ["pix_in"] }],
        warn: [{ kind: "no_value", types: ["pix_in"] }],
        bad: [{ kind: "failing", code: "x", since: "" }],
        new: [{ kind: "not_connected" }],
      } as const
    )[kinds].map((item) => item as AttentionItem),
  });
  const at = (sandbox: Kind, production: Kind, last: string | null = null) =>
    landing([place("sandbox", sandbox), place("production", production)], last)?.environment;
  type Kind = Parameters<typeof place>[1];

  it("is the environment that needs attention, the worst first, and production before a test", () => {
    for (const last of [null, "loja/sandbox", "loja/production"]) {
      expect(at("well", "bad", last)).toBe("production");
      expect(at("warn", "bad", last)).toBe("production");
      expect(at("bad", "warn", last)).toBe("sandbox");
      expect(at("warn", "well", last)).toBe("sandbox");
    }
    expect(at("warn", "warn")).toBe("production");
    expect(at("bad", "bad", "loja/sandbox")).toBe("sandbox");
  });

  it("is else the one used last, and else production", () => {
    expect(at("well", "well")).toBe("production");
    expect(at("well", "waits", "loja/sandbox")).toBe("sandbox");
    expect(at("well", "well", "other/sandbox")).toBe("production");
  });

  it("is no test environment that nobody set up, unless nothing is", () => {
    expect(at("new", "well")).toBe("production");
    expect(at("new", "warn")).toBe("production");
    expect(at("new", "new")).toBe("sandbox");
    expect(at("warn", "new")).toBe("sandbox");
    expect(landing([], null)).toBe(null);
  });
});
