import { setFourEyes } from "@/lib/team/server/four-eyes/four-eyes";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { canary } from "@/e2e/canaries/canary";
import { untilEnded } from "@/e2e/soak/ends";
import type { OperationAnswer, SaveAnswer } from "@/e2e/soak/gancho";
import type { Installation, Running } from "@/e2e/soak/installation";
import {
  addPartner,
  addPeople,
  type People,
  type Person,
  type SoakPartner,
} from "@/e2e/soak/partner";
import { type Dice, diceOf } from "@/e2e/soak/random";
import type { Report } from "@/e2e/soak/report";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { lastsMs, type Unrest } from "./judge";
import { lies, type Client, type ModelService, type Type } from "./service";

/** One press of save, and what was answered. All times are on `performance.now()`. */
export type Press = {
  id: string;
  person: Person;
  types: readonly [Type, ...Type[]];
  url: string;
  action: "keep" | "replace" | "remove";
  /** What each type's value was to be; undefined: whatever it was ("keep"). */
  value: string | null | undefined;
  startedAt: number;
  endedAt: number;
  /** null where no answer came: the process was killed. Where somebody approved it, the answer to that. */
  answer: SaveAnswer | null;
  /** Who approved it, where it waited for a second person and somebody did. */
  approver: Person | null;
  /** What it was opened on. */
  reading: Reading | null;
  /** The answer to who asks for its outcome after its end. */
  asked: OperationAnswer | null;
};

export type Reading = { startedAt: number; endedAt: number; configuration: Configuration };

export type Row = {
  kind: string;
  outcome: string | null;
  at: number;
  actor_id: string | null;
  detail: { saveId?: string; changes?: WebhookChange[]; lookedAt?: number; lastLookedAt?: number };
};
export type Version = WebhookChange["before"];

/** Everything that was done and said in one run, and what was really so. */
export type Evidence = {
  partner: SoakPartner;
  service: Pick<ModelService, "behaviour">;
  client: Pick<Client, "events" | "dirty" | "writes" | "lists" | "turns">;
  presses: Press[];
  readings: Reading[];
  history: Row[];
  saves: { id: string; state: string }[];
  /** By the time of day, what the times of its process begin at. */
  timeOrigin: number;
};

export type Given = {
  number: number;
  seed: number;
  installation: Installation;
  report: Report;
  service: ModelService;
  environment: string;
  instances: readonly Promise<Running>[];
};

type Run = Given & { dice: Dice; partner: SoakPartner; client: Client; people: People };

/**
 * Two people and an editor save, others write, and the service is what it is. Resolves once nobody does anything any
 * more; `evidence` once all of their saves have ended.
 */
export async function oneRun(given: Given): Promise<{ evidence: Promise<Evidence> }> {
  const { number, seed, installation, service, environment } = given;
  const dice = diceOf(seed, number);
  const name = `model-${number}`;
  const secret = { client_id: name, client_secret: canary("client-secret", number) };
  const client = service.open(name, diceOf(seed, number, 1));
  // Their own: what a request costs grows with the partners of its person.
  const people = await addPeople(installation.db);
  const partner = await addPartner(installation.db, secret, environment, people);
  const run: Run = { ...given, dice, partner, client, people };
  const decides = diceOf(seed, number, 2);
  const needsTwo = decides.chance(0.3);
  if (needsTwo) await switchFourEyesOn(run);
  const { behaves } = service.behaviour;
  const liesAtTimes = !behaves && dice.chance(0.3);
  const presses: Press[] = [];
  const readings: Reading[] = [];
  const read = async () => {
    const reading = await readOnce(run);
    if (reading) readings.push(reading);
    return reading;
  };
  let isOver = false;
  const readers = Array.from({ length: service.behaviour.listMs ? 3 : 0 }, async () => {
    for (; !isOver; await pause(50)) await read();
  });

  if (dice.chance(0.5)) outside(run);
  for (let steps = 3 + dice.under(3); steps > 0; steps -= 1) {
    if (dice.chance(0.35)) client.turn();
    const reading = await read();
    if (dice.chance(0.12)) outside(run);
    if (liesAtTimes && dice.chance(0.5)) client.lie(dice.oneOf(lies), 200 + dice.under(1_300));
    const pressing: Person[] = dice.chance(0.15) ? people.slice(0, 2) : [dice.oneOf(people)];
    const beside = dice.chance(0.3) ? read() : null;
    const isAlone = pressing.length === 1;
    const drawn = pressing.map((person) => draw(run, person, { presses, reading, isAlone }));
    const pressed = await Promise.all(drawn.map((each) => press(run, each)));
    for (const each of needsTwo ? pressed : []) await decide(run, each, decides);
    presses.push(...pressed);
    await beside;
    // Another client sets the same address with another value, which nobody here asked for.
    const [refused] = pressed.filter(({ answer }) => answer?.code !== null);
    if (refused && dice.chance(0.5))
      client.write(dice.oneOf(refused.types), refused.url, otherValue(dice));
    if (dice.chance(0.5)) await pause(dice.under(1_500));
    if (dice.chance(0.2)) outside(run);
  }
  isOver = true;
  await Promise.all(readers);
  const end = async () => {
    await untilEnded(installation.db, given.report, [partner]);
    // What the first reading was the first to show counts with the second one, and lasts until the third.
    for (let left = 3; left > 0; left -= 1) {
      await read();
      if (left > 1) await pause(lastsMs * 1.5);
    }
    for (const each of presses) each.asked = await ask(run, each);
    const { timeOrigin } = performance;
    const evidence = { partner, service, client, presses, readings, timeOrigin };
    return { ...evidence, ...(await recorded(run)) };
  };
  return { evidence: end() };
}

const otherValue = ({ oneOf }: Dice) => oneOf([null, canary("authorization", randomUUID())]);

function outside({ dice, client }: Run): void {
  const url = `https://outside.example/${dice.under(2)}`;
  client.write(dice.oneOf(["pix_in", "pix_out", "both"]), url, otherValue(dice));
}

/** A process that is killed answers nothing. */
async function readOnce({ dice, instances, people, partner }: Run): Promise<Reading | null> {
  const startedAt = performance.now();
  const instance = await instances[dice.under(instances.length)];
  const answer = await instance?.read(people[0], partner).catch(() => null);
  const endedAt = performance.now();
  if (!answer?.configuration) return null;
  return { startedAt, endedAt, configuration: answer.configuration };
}

async function switchFourEyesOn({ installation: { db }, people, partner }: Run): Promise<void> {
  await setFourEyes(db, partner.id, { since: Date.now(), byId: people[0].id });
}

/** A second person decides what waits, or leaves it, for the next save to replace. */
async function decide(run: Run, press: Press, { chance, oneOf }: Dice): Promise<void> {
  const { instances, installation, partner, people } = run;
  if (!press.answer?.waits) return;
  if (chance(0.15)) outside(run);
  const [left, rejected] = [chance(0.15), chance(0.15)];
  if (left) return;
  const isOther = ({ id }: Person) => id !== press.person.id;
  const person = oneOf<Person>(people.filter(isOther) as [Person, ...Person[]]);
  if (!rejected) press.approver = person;
  // They have just proved who they are.
  await installation.db
    .updateTable("sessions")
    .set({ reauthenticated_at: Date.now() })
    .where("user_id", "=", person.id)
    .execute();
  const instance = await instances[run.dice.under(instances.length)];
  const body = rejected
    ? ({ decision: "reject", reason: "Not ours" } as const)
    : ({ decision: "approve" } as const);
  const answer = await instance?.decide(person, partner, press.id, body).catch(() => null);
  press.endedAt = performance.now();
  if (!rejected) press.answer = answer ?? null;
}

type Drawn = Omit<Press, "startedAt" | "endedAt" | "answer" | "asked" | "approver">;

function draw(
  { dice, partner }: Run,
  person: Person,
  given: { presses: readonly Press[]; reading: Reading | null; isAlone: boolean },
): Drawn {
  const { presses, reading, isAlone } = given;
  const type = dice.oneOf<SaveRequest["type"]>(["pix_in", "pix_out", "both"]);
  const host = dice.oneOf(["gancho.example", "gancho.example", "moved.example", "GANCHO.example"]);
  const spelled = dice.chance(0.3) ? dice.oneOf(["/%41%7E", "/a/.././b", "/%7euser%2fx"]) : "";
  const fresh = `https://${host}/${partner.id}/${presses.length}-${person.name}${spelled}`;
  const known = reading?.configuration.webhooks.map(({ callbackUrl }) => callbackUrl) ?? [];
  const url = isAlone && dice.chance(0.25) ? dice.oneOf([fresh, ...known]) : fresh;
  const action = dice.oneOf(["replace", "replace", "keep", "remove"] as const);
  const id = randomUUID();
  const typed = canary("authorization", id);
  return {
    id,
    person,
    types: type === "both" ? ["pix_in", "pix_out"] : [type],
    url,
    action,
    value: { replace: typed, keep: undefined, remove: null }[action],
    reading,
  };
}

async function press({ dice, instances, partner }: Run, drawn: Drawn): Promise<Press> {
  const { id, person, types, url, action, value, reading } = drawn;
  const request: SaveRequest = {
    type: types.length === 2 ? "both" : (types[0] as Type),
    url,
    revision: reading?.configuration.revision ?? null,
    authorization: action === "replace" ? { action, value: value ?? "" } : { action },
    operation: id,
    replaces: reading?.configuration.proposals?.map((proposal) => proposal.id) ?? [],
  };
  const startedAt = performance.now();
  const save = async () => {
    const instance = await instances[dice.under(instances.length)];
    return (await instance?.save(person, partner, request).catch(() => null)) ?? null;
  };
  // A lost answer: perhaps the same press again, as a browser would.
  const answer = (await save()) ?? (dice.chance(0.5) ? await save() : null);
  return { ...drawn, startedAt, endedAt: performance.now(), answer, asked: null, approver: null };
}

async function ask({ instances, people, partner }: Run, { id }: Press) {
  const instance = await instances[0];
  return (await instance?.ask(people[0], partner, id).catch(() => null)) ?? null;
}

async function recorded({ installation: { db }, partner }: Run) {
  const rows = await db
    .selectFrom("history")
    .select(["kind", "outcome", "at", "actor_id", "detail_json"])
    .where("partner_id", "=", partner.id)
    .orderBy("seq")
    .execute();
  const saves = await db
    .selectFrom("changes")
    .select(["id", "state"])
    .where("partner_id", "=", partner.id)
    .where("state", "not in", ["void", "waiting", "rejected", "withdrawn", "replaced", "expired"])
    .execute();
  const history = rows.map(({ detail_json, at, ...row }): Row => ({
    ...row,
    at: at - performance.timeOrigin,
    detail: JSON.parse(detail_json) as Row["detail"],
  }));
  return { history, saves };
}

/** The events of a run in order, for who has to find out why something false was said. */
export function storyOf(
  { client, presses, history, readings }: Evidence,
  unrests: readonly Unrest[],
): string[] {
  const zero = presses[0]?.startedAt ?? 0;
  const story: Record<string, { at: number }[]> = {
    pressed: presses.map(({ person, startedAt, url, types, action, value }) => {
      return { at: startedAt, by: person.name, url, types, action, value };
    }),
    answered: presses.map(({ endedAt, url, answer }) => {
      return { at: endedAt, url, answer: answered(answer) };
    }),
    write: [...client.writes],
    "in force": client.events.map(({ by, ...event }) => ({ ...event, by: by && "Gancho" })),
    "shown though never applied": client.dirty.map(({ by: _, ...one }) => ({
      at: one.from,
      ...one,
    })),
    listed: client.lists.map((one) => ({ at: one.from, ...one })),
    unrest: unrests.map((one) => ({ at: one.from, ...one })),
    "the service turns": client.turns.map((at) => ({ at })),
    read: readings.map(({ startedAt, endedAt, configuration }) => {
      const { webhooks, stale, confirmedAt } = configuration;
      return { at: endedAt, since: startedAt, stale, confirmedAt, webhooks };
    }),
    history,
  };
  return Object.entries(story)
    .flatMap(([what, events]) => events.map((event) => ({ what, event })))
    .filter(({ event }) => event.at > zero - 60_000)
    .sort((one, other) => one.event.at - other.event.at)
    .map(({ what, event }) => `${Math.round(event.at - zero)} ${what} ${JSON.stringify(event)}`);
}

export function answered(answer: SaveAnswer | null): string {
  if (answer?.waits) return "waiting";
  return answer ? (answer.result?.outcome ?? answer.code ?? "none") : "no answer";
}
