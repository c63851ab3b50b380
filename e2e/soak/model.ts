import type { Configuration } from "@/lib/webhooks/model/configuration";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { canonicalUrl } from "@/lib/webhooks/model/webhook-version";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { canary } from "@/e2e/canaries/canary";
import type { SaveAnswer } from "./gancho";
import { untilEnded } from "./ends";
import { followMs, type Engine, type Installation, type Running } from "./installation";
import {
  behaviours,
  startModelService,
  type Event,
  type Held,
  type ModelService,
  type Type,
  type Write,
} from "@/e2e/soak/model/service";
import type { Sizes } from "./options";
import { addPartner, type SoakPartner, type Person } from "./partner";
import { oneOf, under } from "./random";
import { spread, tally, type Report } from "./report";
import { isTrue, type Reported } from "./truth";

/** Longer than a save and its lock last. */
const longStopMs = 21_000;

/** One press of save, and everything that was reported on it. */
type Operation = {
  id: string;
  person: Person;
  types: Type[];
  url: string;
  /** What each type's value was to be; undefined: whatever it was ("keep"). */
  value: string | null | undefined;
  startedAt: number;
  endedAt: number;
  /** null where no answer came: the process was killed. */
  answer: SaveAnswer | null;
  /** Whether the list was known to contain the value. */
  proven: boolean;
  /** The last report on it; null where the history has none. */
  end: string | null;
};

type Reading = { startedAt: number; endedAt: number; configuration: Configuration };

/** What Gancho says of a model of the service that does what the contract leaves open, against what was really in force. */
export async function model(
  installation: Installation,
  report: Report,
  sizes: Sizes,
  engine: Engine,
): Promise<void> {
  const services = await Promise.all(behaviours(followMs).map(startModelService));
  const environments = services.map(({ url }, at) => `model-${at}=${url}`).join(",");
  const own = { PARTNER_API_ENVIRONMENTS: environments };
  const instances = [installation.start(own)];
  if (engine === "postgres") instances.push(installation.start(own));
  await Promise.all(instances);
  const reported = new Map<string, Operation[]>();
  const unrests: [from: number, to: number][] = [];
  const lastAt = performance.now() + sizes.runMinutes * 60_000;
  let runs = 0;
  let stopped = false;

  const unrest = (async () => {
    for (let round = 0; ; round += 1) {
      for (let left = 20 + under(20); left > 0 && !stopped; left -= 1) await pause(1_000);
      if (stopped) return;
      const at = round % instances.length;
      const instance = await instances[at];
      if (!instance) return;
      const from = performance.now();
      if (under(2) === 0) {
        process.kill(instance.pid, "SIGSTOP");
        await pause(oneOf([under(8_000), longStopMs + under(5_000)]));
        process.kill(instance.pid, "SIGCONT");
      } else {
        await instance.kill();
        instances[at] = installation.start(own);
        await instances[at];
      }
      unrests.push([from, performance.now()]);
    }
  })();

  const lane = async () => {
    while (runs < sizes.runs && performance.now() < lastAt) {
      const number = (runs += 1);
      const service = services[number % services.length];
      if (!service) return;
      const client = {
        client_id: `model-${number}`,
        client_secret: canary("client-secret", number),
      };
      const environment = `model-${number % services.length}`;
      const partner = await addPartner(installation.db, client, environment, installation.people);
      const operations = await oneRun({ installation, report, service, partner, instances });
      const { name } = service.behaviour;
      reported.set(name, [...(reported.get(name) ?? []), ...operations]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(sizes.concurrency, sizes.runs) }, lane));
  stopped = true;
  await unrest;
  const all = [...reported.values()].flat();
  report.figure("runs", runs);
  report.figure("presses of save", all.length);
  report.figure("processes stopped for a while or killed", unrests.length);
  for (const [name, operations] of reported) {
    const ends = operations.flatMap(({ end }) => (end === null ? [] : [end]));
    report.figure(`${name}: as answered`, tally(operations.map(answered)));
    report.figure(`${name}: in the end`, tally(ends));
    if (!name.startsWith("well-behaved")) continue;
    const undisturbed = operations.filter(
      ({ startedAt, endedAt, proven }) =>
        proven && unrests.every(([from, to]) => to < startedAt || from > endedAt + followMs),
    );
    const doubts = undisturbed.filter(({ end }) => end === "accepted" || end === "unknown");
    report.figure(
      `${name}: undisturbed, of them in doubt`,
      `${undisturbed.length}, ${doubts.length}`,
    );
    report.check(doubts.length === 0, () => `${name}: ${doubts.length} doubts`);
  }
  report.figure(
    "time to an answer, ms",
    spread(all.flatMap(({ answer }) => (answer ? [answer.ms] : []))),
  );
  for (const instance of instances) await (await instance).stop();
  await Promise.all(services.map((service) => service.close()));
}

function answered({ answer }: Pick<Operation, "answer">): string {
  return answer ? (answer.result?.outcome ?? answer.code ?? "none") : "no answer";
}

type Run = {
  installation: Installation;
  report: Report;
  service: ModelService;
  partner: SoakPartner;
  instances: Promise<Running>[];
};

async function oneRun(given: Run): Promise<Operation[]> {
  const found: string[] = [];
  const check: Report["check"] = (holds, text) => void (holds || found.push(text()));
  const run = { ...given, report: { ...given.report, check } };
  const { service, partner, installation } = run;
  const outsideUrl = () => `https://outside.example/${under(2)}`;
  const outside = () =>
    service.write(
      partner.id,
      oneOf(["pix_in", "pix_out", "both"]),
      outsideUrl(),
      oneOf([null, canary("authorization", randomUUID())]),
    );
  if (under(2) === 0) outside();
  const operations: Operation[] = [];
  const readings: Reading[] = [];
  const steps = 2 + under(3);
  for (let step = 0; step < steps; step += 1) {
    const reading = await read(run);
    if (reading) readings.push(reading);
    const presses = under(5) === 0 ? installation.people : [oneOf(installation.people)];
    if (under(4) === 0) outside();
    operations.push(
      ...(await Promise.all(
        presses.map((person) => press(run, person, reading, step + operations.length)),
      )),
    );
    if (under(2) === 0) await pause(under(1_500));
    if (under(4) === 0) outside();
  }
  await untilEnded(installation.db, given.report, [partner]);
  const last = await read(run);
  if (last) readings.push(last);
  await checkReadings(run, readings);
  const history = await historyOf(run);
  await checkHistory(run, operations, history);
  if (found.length > 0)
    given.report.violation(
      `${found.join("\n    ")}\n    ${story(run, operations, history).join("\n    ")}`,
    );
  return operations;
}

function instanceOf({ instances }: Run): Promise<Running> {
  return instances[under(instances.length)] as Promise<Running>;
}

async function read(run: Run): Promise<Reading | null> {
  const startedAt = performance.now();
  const [person] = run.installation.people;
  // A process that is killed answers nothing.
  const instance = await instanceOf(run);
  const answer = await instance.read(person, run.partner).catch(() => null);
  const endedAt = performance.now();
  if (!answer?.configuration) return null;
  return { startedAt, endedAt, configuration: answer.configuration };
}

async function press(
  run: Run,
  person: Person,
  reading: Reading | null,
  number: number,
): Promise<Operation> {
  const type = oneOf<SaveRequest["type"]>(["pix_in", "pix_out", "both"]);
  const url = `https://gancho.example/${run.partner.id}/${number}-${person.name}`;
  const action = oneOf(["replace", "replace", "keep", "remove"] as const);
  const id = randomUUID();
  const value = canary("authorization", id);
  const authorization = action === "replace" ? { action, value } : { action };
  const revision = reading?.configuration.revision ?? null;
  const request: SaveRequest = { type, url, revision, authorization, operation: id };
  const startedAt = performance.now();
  const save = async () => {
    const instance = await instanceOf(run);
    return instance.save(person, run.partner, request).catch(() => null);
  };
  // A lost answer: perhaps the same press again, as a browser would.
  const answer = (await save()) ?? (under(2) === 0 ? await save() : null);
  return {
    id,
    person,
    url,
    types: type === "both" ? ["pix_in", "pix_out"] : [type],
    value: { replace: value, keep: undefined, remove: null }[action],
    startedAt,
    endedAt: performance.now(),
    answer,
    proven: reading?.configuration.list === "proven",
    end: null,
  };
}

/** The events of a run in which something false was reported, in order. */
function story(
  { service, partner }: Run,
  operations: readonly Operation[],
  history: readonly Row[],
) {
  const zero = operations[0]?.startedAt ?? 0;
  const lines = [
    ...operations.flatMap(({ url, types, startedAt, endedAt, value, ...press }) => [
      { at: startedAt, text: `pressed ${types} ${url} ${value?.slice(-6)}` },
      { at: endedAt, text: `answered ${answered(press)} to ${url}` },
    ]),
    ...service.writes(partner.id).map(({ at, type, url, value, status }) => ({
      at,
      text: `write ${type} ${url} ${value?.slice(-6)}: ${status}`,
    })),
    ...service.events(partner.id).map(({ at, by, type, held }) => ({
      at,
      text: `in force by ${by}: ${type} ${held?.url} ${held?.value?.slice(-6)}`,
    })),
    ...history.map(({ kind, outcome, at, detail }) => ({
      at: at - performance.timeOrigin,
      text: `history: ${kind} ${outcome} ${JSON.stringify(detail)}`,
    })),
  ];
  return lines
    .sort((a, b) => a.at - b.at)
    .map(({ at, text }) => `${Math.round(at - zero)} ${text}`);
}

/** Whether this was in force at any time between the two, or as long before as a replica may lag. */
function wasInForce(
  { service, partner }: Run,
  type: Type,
  [from, to]: [number, number],
  fits: (held: Held) => boolean,
): boolean {
  const { replicas = { lagMs: 0 } } = service.behaviour;
  const events = service.events(partner.id).filter((event) => event.type === type);
  const starts: { at: number; held: Held }[] = [{ at: -Infinity, held: null }, ...events];
  return starts.some(({ at, held }, index) => {
    const until = starts[index + 1]?.at ?? Infinity;
    return at <= to && until >= from - replicas.lagMs - 5 && fits(held);
  });
}

const sameUrl = (a: string, b: string) => canonicalUrl(a) === canonicalUrl(b);

/** A read shows what was in force when it was made, and names who changed it. */
async function checkReadings(run: Run, readings: readonly Reading[]): Promise<void> {
  const { service, partner, report } = run;
  const everything = service.events(partner.id);
  for (const { startedAt, endedAt, configuration } of readings) {
    if (configuration.stale) continue;
    for (const type of ["pix_in", "pix_out"] as const) {
      const shown = configuration.webhooks.find((webhook) => webhook.type === type);
      const fits = (held: Held) =>
        shown ? held !== null && sameUrl(held.url, shown.callbackUrl) : held === null;
      report.check(
        wasInForce(run, type, [startedAt, endedAt], fits),
        () => `${where(run)}: shows ${shown?.callbackUrl ?? "nothing"} for ${type}`,
      );
      if (!shown) continue;
      const { hidden, set } = shown.authorization;
      const valueFits = (held: Held) => fits(held) && (held?.value !== null) === set;
      if (configuration.list === "proven" && !hidden)
        report.check(
          wasInForce(run, type, [startedAt, endedAt], valueFits),
          () => `${where(run)}: shows a value as ${set ? "set" : "not set"} for ${type}`,
        );
      if (!shown.lastChange) continue;
      const wanted: Event["by"] = shown.lastChange.by === null ? "outside" : "gancho";
      report.check(
        everything.some(
          ({ by, held, type: of }) =>
            of === type && by === wanted && held !== null && sameUrl(held.url, shown.callbackUrl),
        ),
        () => `${where(run)}: says that ${shown.lastChange?.by ?? "nobody known"} changed ${type}`,
      );
    }
  }
}

function where({ service, partner }: Run): string {
  return `${partner.id} (${service.behaviour.name})`;
}

type Row = { kind: string; outcome: string | null; at: number; detail: Detail };
type Change = Reported & {
  after: { callbackUrl: string; fingerprint: string | null } | null;
};
type Detail = { saveId?: string; changes?: Change[] };

async function historyOf({ installation, partner }: Run): Promise<Row[]> {
  const rows = await installation.db
    .selectFrom("history")
    .select(["kind", "outcome", "at", "detail_json"])
    .where("partner_id", "=", partner.id)
    .orderBy("seq")
    .execute();
  return rows.map(({ detail_json, ...row }) => ({
    ...row,
    detail: JSON.parse(detail_json) as Detail,
  }));
}

async function checkHistory(run: Run, operations: readonly Operation[], history: readonly Row[]) {
  const { installation, service, partner, report } = run;
  const events = service.events(partner.id);
  const saves = await installation.db
    .selectFrom("saves")
    .select(["id", "operation_id", "state"])
    .where("partner_id", "=", partner.id)
    .execute();

  const outsideOf = (change: Change) =>
    events.some(
      ({ by, type, held }) =>
        by === "outside" &&
        type === change.type &&
        held !== null &&
        sameUrl(held.url, change.after?.callbackUrl ?? ""),
    );
  for (const { kind, detail } of history)
    if (kind === "changed_outside")
      for (const change of detail.changes ?? [])
        report.check(
          outsideOf(change),
          () =>
            `${where(run)}: ${change.type} became ${change.after?.callbackUrl} outside: nobody did that`,
        );

  const written = service.writes(partner.id);
  for (const operation of operations) {
    const { id, answer, types, url } = operation;
    report.check(answer?.code !== "internal_error", () => `${where(run)}: a fault of Gancho's`);
    const mine = written.filter((write) => write.url === url);
    report.check(
      mine.length <= types.length,
      () => `${where(run)}: ${mine.length} writes for one press`,
    );
    for (const write of mine) checkValue(run, operation, write);
    const save = saves.find(({ operation_id }) => operation_id === id);
    const reported = history.filter(
      ({ kind, detail }) => kind === "save" && detail.saveId === save?.id,
    );
    if (!save) {
      report.check(mine.length === 0, () => `${where(run)}: wrote without an intent`);
      continue;
    }
    const last = reported.at(-1);
    operation.end = last?.outcome ?? null;
    for (const result of answer?.result?.results ?? [])
      checkReport(run, operation, result, reported.length <= 1);
    // Recorded after its answer was overdue: it is not sent, and closed later.
    const isOverdue = save.state === "recorded";
    report.check(
      last !== undefined || isOverdue,
      () => `${where(run)}: nothing was said of a save in the end`,
    );
    for (const change of last?.detail.changes ?? []) checkReport(run, operation, change, true);
  }
}

/** Nothing is ever written that was not typed, or in force; what was not registered had no value. */
function checkValue(run: Run, { value, types, startedAt }: Operation, write: Write): void {
  const { service, partner, report } = run;
  if (value !== undefined) {
    report.check(write.value === value, () => `${where(run)}: wrote another value than was typed`);
    return;
  }
  const events = service.events(partner.id).filter(({ at }) => at <= write.at);
  const shownSince = startedAt - (service.behaviour.replicas?.lagMs ?? 0);
  const wasNew = types.some((type) =>
    events.every((event) => event.type !== type || event.at > shownSince),
  );
  const isHeld =
    events.some(({ held }) => held?.value === write.value) || (wasNew && write.value === null);
  report.check(isHeld, () => `${where(run)}: kept by writing ${write.value}, which nobody set`);
}

function checkReport(run: Run, operation: Operation, reported: Reported, isLast: boolean) {
  const { service, partner, report } = run;
  const { url, value, startedAt } = operation;
  const { type, outcome } = reported;
  const events = service.events(partner.id).filter((event) => event.type === type);
  const describe = () =>
    `${where(run)}: said ${outcome} of ${type} ${url} ${JSON.stringify(value)}; in force: ` +
    events.map(({ by, held }) => `${by} ${held?.url} ${held?.value?.slice(-6)}`).join(", ");
  const since = events.filter(({ at }) => at >= startedAt);
  const answers = service
    .writes(partner.id)
    .filter((write) => write.url === url && (write.type === "both" || write.type === type))
    .map(({ status }) => status);
  const truth = {
    taken: since.some(({ held }) => held?.url === url),
    asAsked: since.some(
      ({ held }) => held?.url === url && (value === undefined || held.value === value),
    ),
    undone:
      events.findLastIndex(({ by }) => by === "outside") >
      events.findLastIndex(({ held }) => held?.url === url),
    isNow: events.at(-1)?.held?.url === url,
    acknowledged: answers.some((status) => status !== null && status < 300),
    refused: answers.some((status) => status === 422),
  };
  report.check(isTrue(reported, truth, isLast), describe);
}
