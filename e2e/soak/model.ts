import type { Configuration } from "@/lib/webhooks/configuration";
import type { SaveRequest } from "@/lib/webhooks/rules/save-request";
import { canonicalUrl } from "@/lib/webhooks/state";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { canary } from "../canaries/canary";
import type { SaveAnswer } from "./gancho";
import type { Engine, Installation, Running } from "./installation";
import {
  behaviours,
  startModelService,
  type Event,
  type Held,
  type ModelService,
  type Type,
} from "./model/service";
import type { Sizes } from "./options";
import { addPartner, type SoakPartner } from "./partner";
import type { Person } from "./person";
import { oneOf, under } from "./random";
import { spread, tally, type Report } from "./report";

/** When open saves are looked after, in seconds: as in production, in a smaller measure. */
const followAt = [1, 2, 4, 8];
const windowMs = 8_000;
/** How much longer a save may be open: a lease of a process that died, and a round of the follower. */
const slackMs = 45_000;
const atOnce = 60;

/** One press of save, and all that was said of it. */
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
};

type Reading = { startedAt: number; endedAt: number; configuration: Configuration };

/** What Gancho says of a model of the service that does what the contract leaves open, against what was really in force. */
export async function model(
  installation: Installation,
  report: Report,
  sizes: Sizes,
  engine: Engine,
): Promise<void> {
  const services = await Promise.all(behaviours(windowMs).map(startModelService));
  const environments = services.map(({ url }, at) => `model-${at}=${url}`).join(",");
  const own = { PARTNER_API_ENVIRONMENTS: environments, FOLLOW_SAVES_AT: followAt.join(",") };
  const copies = [await installation.start(own)];
  if (engine === "postgres") copies.push(await installation.start(own));
  const said = new Map<string, string[]>();
  const ms: number[] = [];
  let runs = 0;
  let restarts = 0;
  let stopped = false;

  const unrest = (async () => {
    for (let round = 0; !stopped; round += 1) {
      await pause(20_000 + under(20_000));
      const at = round % copies.length;
      const copy = copies[at];
      if (stopped || !copy) return;
      if (round % 2 === 0) {
        // It stands still for longer than a save and its lock last.
        process.kill(copy.pid, "SIGSTOP");
        await pause(1_000 + under(30_000));
        process.kill(copy.pid, "SIGCONT");
      } else {
        await copy.kill();
        copies[at] = await installation.start(own);
      }
      restarts += 1;
    }
  })();

  const lane = async () => {
    while (runs < sizes.runs) {
      const number = (runs += 1);
      const service = services[number % services.length];
      if (!service) return;
      const client = {
        client_id: `model-${number}`,
        client_secret: canary("client-secret", number),
      };
      const environment = `model-${number % services.length}`;
      const partner = await addPartner(installation.db, client, environment, installation.people);
      const run = { installation, report, service, partner, copies };
      const operations = await oneRun(run);
      ms.push(...operations.flatMap(({ answer }) => (answer ? [answer.ms] : [])));
      const outcomes = said.get(service.behaviour.name) ?? [];
      outcomes.push(...(await finalOutcomes(installation, partner)).values());
      said.set(service.behaviour.name, outcomes);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, sizes.runs) }, lane));
  stopped = true;
  await unrest;
  report.figure("runs", sizes.runs);
  report.figure("processes stopped for a while or killed", restarts);
  for (const [name, outcomes] of said) report.figure(name, tally(outcomes));
  report.figure("time to an answer, ms", spread(ms));
  for (const [name, outcomes] of said) {
    const doubts = outcomes.filter((outcome) => outcome === "accepted" || outcome === "unknown");
    if (name.startsWith("well-behaved") && restarts === 0)
      report.check(doubts.length === 0, () => `${name}: ${doubts.length} doubts`);
  }
  for (const copy of copies) await copy.stop();
  await Promise.all(services.map((service) => service.close()));
}

type Run = {
  installation: Installation;
  report: Report;
  service: ModelService;
  partner: SoakPartner;
  copies: Running[];
};

async function oneRun(run: Run): Promise<Operation[]> {
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
    const revision = reading?.configuration.revision ?? null;
    const presses = under(5) === 0 ? installation.people : [oneOf(installation.people)];
    if (under(4) === 0) outside();
    operations.push(
      ...(await Promise.all(
        presses.map((person) => press(run, person, revision, step + operations.length)),
      )),
    );
    if (under(2) === 0) await pause(under(1_500));
    if (under(4) === 0) outside();
  }
  await untilEnded(run, readings);
  await checkReadings(run, readings);
  await checkHistory(run, operations);
  return operations;
}

function copyOf({ copies }: Run): Running {
  return copies[under(copies.length)] ?? (copies[0] as Running);
}

async function read(run: Run): Promise<Reading | null> {
  const startedAt = performance.now();
  const [person] = run.installation.people;
  // A process that is killed answers nothing.
  const answer = await copyOf(run)
    .read(person, run.partner)
    .catch(() => null);
  const endedAt = performance.now();
  if (!answer?.configuration) return null;
  return { startedAt, endedAt, configuration: answer.configuration };
}

async function press(
  run: Run,
  person: Person,
  revision: string | null,
  number: number,
): Promise<Operation> {
  const type = oneOf<SaveRequest["type"]>(["pix_in", "pix_out", "both"]);
  const url = `https://gancho.example/${run.partner.id}/${number}-${person.name}`;
  const action = oneOf(["replace", "replace", "keep", "remove"] as const);
  const id = randomUUID();
  const value = canary("authorization", id);
  const authorization = action === "replace" ? { action, value } : { action };
  const request: SaveRequest = { type, url, revision, authorization, operation: id };
  const startedAt = performance.now();
  let answer = await copyOf(run)
    .save(person, run.partner, request)
    .catch(() => null);
  // A lost answer: the same press again, as a browser would.
  if (!answer && under(2) === 0)
    answer = await copyOf(run)
      .save(person, run.partner, request)
      .catch(() => null);
  return {
    id,
    person,
    url,
    types: type === "both" ? ["pix_in", "pix_out"] : [type],
    value: { replace: value, keep: undefined, remove: null }[action],
    startedAt,
    endedAt: performance.now(),
    answer,
  };
}

/** Each save ends within the time for which it is followed. */
async function untilEnded(run: Run, readings: Reading[]): Promise<void> {
  const { installation, partner, report } = run;
  const giveUpAt = performance.now() + windowMs + slackMs;
  for (;;) {
    const open = await installation.db
      .selectFrom("saves")
      .select(["id", "state", "outcome"])
      .where("partner_id", "=", partner.id)
      .where("state", "not in", ["closed", "ended"])
      .execute();
    if (open.length === 0) break;
    if (performance.now() > giveUpAt) {
      report.violation(`${partner.id}: never ended: ${JSON.stringify(open)}`);
      break;
    }
    await pause(1_000);
  }
  const reading = await read(run);
  if (reading) readings.push(reading);
}

/** Whether this was in force at some moment between the two, or as long before as a copy may lag. */
function wasInForce(
  { service, partner }: Run,
  type: Type,
  [from, to]: [number, number],
  fits: (held: Held) => boolean,
): boolean {
  const { copies = { lagMs: 0 } } = service.behaviour;
  const events = service.events(partner.id).filter((event) => event.type === type);
  const starts: { at: number; held: Held }[] = [{ at: -Infinity, held: null }, ...events];
  return starts.some(({ at, held }, index) => {
    const until = starts[index + 1]?.at ?? Infinity;
    return at <= to && until >= from - copies.lagMs - 5 && fits(held);
  });
}

const sameUrl = (a: string, b: string) => canonicalUrl(a) === canonicalUrl(b);

/** What a reading shows was in force when it was asked for, and was changed by whom it says. */
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

type Row = { kind: string; outcome: string | null; request_id: string | null; detail: Detail };
type Change = {
  type: Type;
  outcome: string;
  authorization?: string;
  after: { callbackUrl: string; fingerprint: string | null } | null;
};
type Detail = { saveId?: string; changes?: Change[] };

async function historyOf({ installation, partner }: Run): Promise<Row[]> {
  const rows = await installation.db
    .selectFrom("history")
    .select(["kind", "outcome", "request_id", "detail_json"])
    .where("partner_id", "=", partner.id)
    .orderBy("seq")
    .execute();
  return rows.map(({ detail_json, ...row }) => ({
    ...row,
    detail: JSON.parse(detail_json) as Detail,
  }));
}

async function checkHistory(run: Run, operations: readonly Operation[]): Promise<void> {
  const { installation, service, partner, report } = run;
  const history = await historyOf(run);
  const events = service.events(partner.id);
  const saves = await installation.db
    .selectFrom("saves")
    .select(["id", "operation_id"])
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
    const mine = written.filter((write) => write.url === url);
    report.check(
      mine.length <= types.length,
      () => `${where(run)}: ${mine.length} writes for one press`,
    );
    for (const { value } of mine) checkValue(run, operation, value);
    const save = saves.find(({ operation_id }) => operation_id === id);
    const told = history.filter(
      ({ kind, detail }) => kind === "save" && detail.saveId === save?.id,
    );
    if (!save) {
      report.check(mine.length === 0, () => `${where(run)}: wrote without an intent`);
      continue;
    }
    if (answer?.result && answer.result.results.length > 0)
      for (const { type, outcome, authorization } of answer.result.results)
        checkSaid(run, operation, { type, outcome, authorization, isLast: told.length <= 1 });
    const last = told.at(-1);
    report.check(last !== undefined, () => `${where(run)}: nothing was said of a save in the end`);
    for (const { type, outcome, authorization } of last?.detail.changes ?? [])
      checkSaid(run, operation, { type, outcome, authorization, isLast: true });
  }
}

/** Nothing is ever written that was not typed, or in force. */
function checkValue(run: Run, { value }: Operation, sent: string | null): void {
  const { service, partner, report } = run;
  if (value !== undefined) {
    report.check(sent === value, () => `${where(run)}: wrote another value than was typed`);
    return;
  }
  const isHeld = service.events(partner.id).some(({ held }) => (held?.value ?? null) === sent);
  report.check(isHeld, () => `${where(run)}: kept by writing ${sent}, which nobody set`);
}

type Said = { type: Type; outcome: string; authorization?: string | undefined; isLast: boolean };

function checkSaid(run: Run, operation: Operation, { type, outcome, authorization, isLast }: Said) {
  const { service, partner, report } = run;
  const { url, value, startedAt } = operation;
  const said = () =>
    `${where(run)}: said ${outcome} of ${type} ${url} ${JSON.stringify(operation.value)}; in force: ` +
    service
      .events(partner.id)
      .filter((event) => event.type === type)
      .map((event) => `${event.by} ${event.held?.url} ${event.held?.value?.slice(-6)}`)
      .join(", ");
  const isMine = (held: Held) => held?.url === url;
  const fits = (held: Held) => held?.url === url && (value === undefined || held.value === value);
  const ever: [number, number] = [startedAt, Infinity];
  const wasTaken = service
    .events(partner.id)
    .some((event) => event.type === type && isMine(event.held));
  const now = service.events(partner.id).findLast((event) => event.type === type)?.held ?? null;
  switch (outcome) {
    case "created":
    case "overwritten":
      report.check(wasInForce(run, type, ever, fits), said);
      break;
    case "accepted":
      if (authorization === "not_shown") report.check(wasInForce(run, type, ever, isMine), said);
      break;
    case "not_saved":
    case "not_applied":
      // A service that refuses a write, takes it all the same, and is overwritten before anybody looks, tells nobody.
      if (isLast) report.check(service.behaviour.fate ? !isMine(now) : !wasTaken, said);
      break;
    case "overtaken":
      if (isLast) report.check(!isMine(now), said);
      break;
  }
}

async function finalOutcomes(
  { db }: Installation,
  { id }: SoakPartner,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("history")
    .select(["outcome", "request_id"])
    .where("partner_id", "=", id)
    .where("kind", "=", "save")
    .orderBy("seq")
    .execute();
  return new Map(rows.map(({ outcome, request_id }) => [request_id ?? "", outcome ?? ""]));
}
