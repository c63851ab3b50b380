import { soonDays, toneOf as toneOfVerdict } from "@/lib/endpoint-check/model/verdict";
import type { Verdict } from "@/lib/endpoint-check/model/check";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { Attention, AttentionItem, IncidentSteps } from "./answer";
import { placeName, worstTone } from "./tone";

/** What is known of one type. */
export type TypeFacts = {
  /** null: not registered; undefined: Gancho cannot tell. */
  registered:
    | {
        url: string;
        /** A digest of the value, equal for equal values of one partner; null where none is shown. */
        value: string | null;
        /** This value was shown beside an address that no save here asked for. */
        exposed: boolean;
        /** The service shows a placeholder, and Gancho has sent nothing that it may stand for. */
        valueUnknown: boolean;
        /** The service shows none, and Gancho has sent none that it may hide. */
        valueMissing: boolean;
        /** Two values at once, or two items of this type. */
        ambiguous: boolean;
      }
    | null
    | undefined;
  /**
   * A difference that nobody acknowledged; `at` in milliseconds. `isBack`: the look that told it last showed the address
   * of before, perhaps after others.
   */
  difference: { at: number; onlyValue: boolean; isBack: boolean } | null;
  /** The save sent last, which no look has shown: when it was asked for, and the look after its time; milliseconds. */
  notShown: { askedAt: number; until: number } | null;
  /** The last check of exactly what is registered; `days` are left of its certificate, null where none was seen. */
  check: { verdict: Verdict; days: number | null } | null;
};

/** What is known of one environment of a partner. */
export type EnvironmentFacts = {
  environment: string;
  isProduction: boolean;
  connected: boolean;
  epoch: number;
  /** Since when readings fail, in milliseconds. */
  failing: { code: string; since: number } | null;
  /** When it was last read, in milliseconds, if that is longer ago than readings should be. */
  oldLook: number | null;
  /** null: never read. */
  types: Record<WebhookType, TypeFacts> | null;
  /** What is not over of a change of an address that no save here asked for; `since` in milliseconds. */
  incident: { since: number; types: WebhookType[]; credentialsReplaced: boolean } | null;
  waiting: readonly { id: string; about: "webhooks" | "credentials"; types: WebhookType[] }[];
  /** The operator has changes here take two people, and no two are there. */
  lacksSecondPerson: boolean;
};

export type EnvironmentAttention = Attention["environments"][number];

/**
 * What needs attention in each environment of one partner, the worst first: the one list from which every screen says
 * whether all is well.
 */
export function attentionIn(all: readonly EnvironmentFacts[]): EnvironmentAttention[] {
  return all.map((facts) => ({
    environment: facts.environment,
    epoch: facts.epoch,
    items: facts.connected
      ? itemsOf(facts, all)
      : [{ kind: "not_connected" }, ...approvalIn(facts)],
  }));
}

function itemsOf(facts: EnvironmentFacts, all: readonly EnvironmentFacts[]): AttentionItem[] {
  const { failing, types } = facts;
  const failure: AttentionItem[] = failing
    ? [{ kind: "failing", code: failing.code, since: new Date(failing.since).toISOString() }]
    : [];
  if (types === null) {
    const first: AttentionItem[] = failing ? failure : [{ kind: "not_read" }];
    return [...first, ...recoveringIn(facts.incident, null), ...approvalIn(facts)];
  }
  return [
    ...differencesIn(types, stepsOf(facts.incident, types)),
    ...about("exposed", types, ({ registered }) => registered?.exposed === true),
    ...(failing || facts.oldLook === null ? failure : [oldIn(facts.oldLook)]),
    ...recoveringIn(facts.incident, types),
    ...checksIn(types),
    ...about("no_value", types, ({ registered }) => registered?.valueMissing === true),
    ...about(
      "unclear",
      types,
      ({ registered }) => registered === undefined || registered?.ambiguous === true,
    ),
    ...notShownIn(types),
    ...approvalIn(facts),
    ...about("not_registered", types, ({ registered }) => registered === null),
    ...(facts.isProduction ? sharedIn(types, all) : []),
  ];
}

function oldIn(readAt: number): AttentionItem {
  return { kind: "old", readAt: new Date(readAt).toISOString() };
}

function approvalIn({ lacksSecondPerson, waiting }: EnvironmentFacts): AttentionItem[] {
  const stuck: AttentionItem[] = lacksSecondPerson ? [{ kind: "no_second_person" }] : [];
  return [...stuck, ...waiting.map((change) => ({ kind: "waiting" as const, ...change }))];
}

type Types = Record<WebhookType, TypeFacts>;

function typesWith(types: Types, isSo: (facts: TypeFacts, type: WebhookType) => boolean) {
  return webhookTypes.filter((type) => isSo(types[type], type));
}

function about(
  kind: "exposed" | "no_value" | "unclear" | "not_registered",
  types: Types,
  isSo: (facts: TypeFacts) => boolean,
): AttentionItem[] {
  const found = typesWith(types, isSo);
  return found.length > 0 ? [{ kind, types: found }] : [];
}

/** One row for each save, the newest first. */
function notShownIn(types: Types): AttentionItem[] {
  const saves = webhookTypes.flatMap((type) => types[type].notShown ?? []);
  return [...new Set(saves.map(({ askedAt }) => askedAt))]
    .sort((one, other) => other - one)
    .map((askedAt): AttentionItem => {
      const until = Math.max(
        ...saves.filter((save) => save.askedAt === askedAt).map((save) => save.until),
      );
      return {
        kind: "not_shown",
        types: typesWith(types, ({ notShown }) => notShown?.askedAt === askedAt),
        at: new Date(askedAt).toISOString(),
        until: new Date(until).toISOString(),
      };
    });
}

type OpenIncident = EnvironmentFacts["incident"];

/** What is not known is not done. `types` null: not read since the service or the credentials changed. */
function stepsOf(incident: OpenIncident, types: Types | null): IncidentSteps | undefined {
  if (!incident) return undefined;
  const isRestored = ({ registered, difference }: TypeFacts) =>
    !!registered && !registered.ambiguous && (difference === null || difference.isBack);
  return {
    restored: types !== null && incident.types.every((type) => isRestored(types[type])),
    replaced:
      types !== null &&
      webhookTypes.every((type) => hasNewValue(types[type], incident.types.includes(type))),
    credentials: incident.credentialsReplaced,
  };
}

function hasNewValue({ registered }: TypeFacts, isOfIncident: boolean): boolean {
  if (!registered) return registered === null && !isOfIncident;
  const { exposed, valueUnknown, valueMissing, ambiguous } = registered;
  return !exposed && !valueUnknown && !ambiguous && !(isOfIncident && valueMissing);
}

function recoveringIn(incident: OpenIncident, types: Types | null): AttentionItem[] {
  const steps = stepsOf(incident, types);
  // Otherwise the difference says so.
  const isTold = types !== null && webhookTypes.some((type) => types[type].difference);
  if (!incident || !steps || isTold) return [];
  const since = new Date(incident.since).toISOString();
  return [{ kind: "recovering", types: incident.types, since, steps }];
}

function differencesIn(types: Types, steps: IncidentSteps | undefined): AttentionItem[] {
  const found = webhookTypes.flatMap((type) => types[type].difference ?? []);
  if (found.length === 0) return [];
  return [
    {
      kind: "difference",
      types: typesWith(types, ({ difference }) => difference !== null),
      at: new Date(Math.min(...found.map(({ at }) => at))).toISOString(),
      onlyValue: found.every(({ onlyValue }) => onlyValue),
      ...(steps && { steps }),
    },
  ];
}

/** First what the checks found, the worst first, then the certificates that end soon, the next one first. */
function checksIn(types: Types): AttentionItem[] {
  const checks = webhookTypes.flatMap((type) => types[type].check ?? []);
  const verdicts = [...new Set(checks.map(({ verdict }) => verdict))];
  const isNews = (tone: string) => (verdict: Verdict) => toneOfVerdict(verdict) === tone;
  const found = [...verdicts.filter(isNews("bad")), ...verdicts.filter(isNews("warn"))];
  const soon = checks.flatMap(({ days }) => (days !== null && days < soonDays ? [days] : []));
  return [
    ...found.map((verdict): AttentionItem => ({
      kind: "endpoint",
      types: typesWith(types, ({ check }) => check?.verdict === verdict),
      verdict,
    })),
    ...[...new Set(soon)]
      .sort((one, other) => one - other)
      .map((days): AttentionItem => ({
        kind: "certificate",
        types: typesWith(types, ({ check }) => check?.days === days),
        days,
      })),
  ];
}

/** Whoever runs a test receiver, or reads its log, would have what production accepts. */
function sharedIn(types: Types, all: readonly EnvironmentFacts[]): AttentionItem[] {
  const tests = all.filter(({ isProduction }) => !isProduction);
  return (["address", "value"] as const).flatMap((what) =>
    tests.flatMap(({ environment, types: there }): AttentionItem[] => {
      const shared = typesWith(types, ({ registered }) => {
        const own = registered?.[fieldOf[what]] ?? null;
        return (
          own !== null &&
          webhookTypes.some((type) => there?.[type].registered?.[fieldOf[what]] === own)
        );
      });
      return shared.length > 0 ? [{ kind: "shared", types: shared, what, environment }] : [];
    }),
  );
}

const fieldOf = { address: "url", value: "value" } as const;

type Place = EnvironmentAttention & { partner: string; isProduction: boolean };

/**
 * Where a person lands: in the environment that needs attention most, production first; else in the one they used last,
 * else in production. Test environments that nobody has set up do not ask for it, unless production is not set up, either.
 */
export function landing<P extends Place>(places: readonly P[], last: string | null): P | null {
  const isSetUp = ({ items }: Place) =>
    !items.some(
      (item) =>
        item.kind === "not_connected" ||
        (item.kind === "not_registered" && item.types.length === webhookTypes.length),
    );
  const production = places.filter(({ isProduction }) => isProduction);
  const tests = places.filter(({ isProduction }) => !isProduction);
  // Nobody begins in production.
  const inOrder = production.some(isSetUp)
    ? [...production, ...tests.filter(isSetUp)]
    : [...tests, ...production];
  for (const tone of ["bad", "warn"] as const) {
    const found = inOrder.filter(({ items }) => worstTone(items) === tone);
    const [first] = found;
    if (first) return found.find((place) => isLast(place, last)) ?? first;
  }
  return places.find((place) => isLast(place, last)) ?? production[0] ?? places[0] ?? null;
}

/** `last`: as `placeName` names it. */
function isLast(place: Place, last: string | null): boolean {
  return placeName(place) === last;
}
