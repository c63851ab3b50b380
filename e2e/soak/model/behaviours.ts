import { createHash } from "node:crypto";
import { type Dice, diceOf } from "@/e2e/soak/random";
import type { Behaviour, Fate } from "./service";

/** How many services are put together at random from the traits that the others have. */
const drawn = 6;

/** `windowMs`: for how long Gancho follows a save; nothing takes effect later than that. */
export function behaviours(windowMs: number, seed: number): Behaviour[] {
  const upTo = (ms: number) => (dice: Dice) => dice.under(ms);
  const late = (dice: Dice) => (dice.chance(0.6) ? dice.under(windowMs * 0.5) : 0);
  const lagging = { count: 3, lagMs: windowMs / 12 };
  const refuses = (...statuses: [number, ...number[]]) => ({
    fate: (dice: Dice): Fate =>
      dice.chance(0.4)
        ? done
        : { status: dice.oneOf(statuses), effect: dice.oneOf(["applied", "forgotten"]) },
  });
  const ofContract = refuses(400, 401, 403, 404, 422);
  const between = refuses(408, 409, 425, 429);
  const all: Behaviour[] = [
    { name: "well-behaved, up to 1.9 s behind", behaves: true, lateMs: upTo(1_900) },
    { name: "well-behaved, at once", behaves: true },
    { name: "late", lateMs: late },
    { name: "replicas that lag", replicas: lagging },
    { name: "masks by asterisks", shows: masks.asterisks },
    { name: "masks by a word", shows: masks.word },
    { name: "shows a prefix", shows: masks.prefix, lateMs: late },
    { name: "shows no value", shows: masks.nothing },
    { name: "shows no value and keeps an omitted one", shows: masks.nothing, keepsOmitted: true },
    { name: "keeps an omitted value", keepsOmitted: true, lateMs: late },
    { name: "writes with a port", writes: withPort, types: unsteadyType },
    { name: "writes in normal form", writes: normalForm },
    { name: "writes in another spelling", writes: otherSpelling },
    { name: "loses answers", fate: faults },
    { name: "loses answers, late", fate: faults, lateMs: late },
    { name: "refuses as the contract says", ...ofContract },
    { name: "refuses as the contract says, late", ...ofContract, lateMs: late },
    { name: "refuses as something in between does", ...between },
    { name: "refuses as something in between does, late", ...between, lateMs: late },
    { name: "shows what it rolls back", fate: rolledBack },
    { name: "slow", listMs: (dice) => 500 + dice.under(2_000) },
    {
      name: "everything at once",
      fate: (dice) => (dice.chance(0.5) ? done : faults(dice)),
      lateMs: late,
      shows: masks.asterisks,
      replicas: { count: 2, lagMs: windowMs / 12 },
      types: (type, dice) => dice.oneOf([type, null]),
    },
    ...Object.entries(masks).map(([name, shows]) => ({
      name: `begins to show ${name}`,
      later: { shows },
    })),
  ];
  const some = <Value>(dice: Dice, part: number, value: Value) =>
    dice.chance(part) ? value : ({} as Partial<Value>);
  for (let number = 0; number < drawn; number += 1) {
    const dice = diceOf(seed, number);
    all.push({
      name: `drawn ${number}`,
      ...some(dice, 0.3, { lateMs: late }),
      ...some(dice, 0.3, { replicas: lagging }),
      ...some(dice, 0.4, { writes: dice.oneOf([withPort, normalForm, otherSpelling]) }),
      ...some(dice, 0.2, { types: unsteadyType }),
      ...some(dice, 0.3, { keepsOmitted: true }),
      ...some(dice, 0.6, dice.oneOf([{ fate: faults }, { fate: rolledBack }, ofContract, between])),
      ...some(dice, 0.6, {
        later: {
          shows: masks[dice.oneOf(["hidden", "a digest", "its last four", "lower case"] as const)],
        },
      }),
    });
  }
  return all;
}

const done: Fate = { status: 200, effect: "applied" };

function faults(dice: Dice): Fate {
  const status = dice.oneOf([200, null, 500, 422]);
  return status === 200 ? done : { status, effect: dice.oneOf(["applied", "forgotten"]) };
}

function rolledBack(dice: Dice): Fate {
  return dice.chance(0.5)
    ? done
    : { status: dice.oneOf([500, null]), effect: { dirtyMs: 100 + dice.under(700) } };
}

const masks = {
  asterisks: (value: string) => `${value.slice(0, 7)}********`,
  hidden: () => "hidden",
  word: () => "value-is-set",
  "a digest": (value: string) => createHash("sha256").update(value).digest("hex"),
  "eight X": () => "XXXXXXXX",
  "its last four": (value: string) => value.slice(-4),
  prefix: (value: string) => value.slice(0, 12),
  "lower case": (value: string) => value.toLowerCase(),
  nothing: () => null,
};

/** Nobody promises a type's spelling, nor that there is one. */
const unsteadyType: NonNullable<Behaviour["types"]> = (type, dice) =>
  dice.oneOf([type, type.toUpperCase(), null]);

function withPort(url: string): string {
  return new URL(url).href.replace(/^https:\/\/([^/]+)/, "https://$1:443");
}

/** A slash at the end, a path in lower case. */
function otherSpelling(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname.replace(/\/*$/, "/").toLowerCase()}${search}`;
}

/** RFC 3986, 6.2.2: the case of the host and of percent signs, percent signs that nothing needs, dot segments. */
export function normalForm(url: string): string {
  return new URL(url).href.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}
