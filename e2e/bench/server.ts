import { directService } from "@/e2e/fixtures/direct-service";
import { direct, type Installation } from "@/e2e/soak/installation";
import { addPeople, type SoakPartner, type Person } from "@/e2e/soak/partner";
import { Agent, request } from "undici";
import * as z from "zod";
import { cpuSeconds, type Figure } from "./figures";
import type { Bench } from "./main";

/** Callers at once. Each has a partner of its own: readers of the same one would share a reading. */
const callers = 16;
/** In turn, apart from those that are read: what a request costs grows with the saves of the last ten minutes. */
const savers = 160;
/** How long each figure is measured in a round. */
const roundSeconds = 3;

export type Lane = {
  person: Person;
  partner: SoakPartner;
  /** The service's access token, for the floor, which has no credentials. */
  token: string;
  revision: string | null;
  saves: number;
};

/** Sends one request and resolves when its answer is read; throws for any answer but the expected one. */
type Call = (lane: Lane) => Promise<void>;

/** Requests a second of Gancho and of the floor, in turn. */
export async function measureServer(bench: Bench): Promise<Figure[]> {
  const agent = new Agent({ connections: callers, keepAliveTimeout: 60_000 });
  const partners = async (count: number) =>
    Promise.all(Array.from({ length: count }, () => partnerWithWebhook(bench.installation)));
  const readers = await partners(callers);
  const saving = await partners(savers);
  // What the floor saves, Gancho would take for another client's.
  const floor = await partners(callers);
  const calls = callsOf(bench, agent);
  const figures = [
    { name: "list call", aim: "≥ 0.75", kind: "list", gancho: readers, floor },
    { name: "a save", aim: "≥ 0.5", kind: "save", gancho: saving, floor },
    { name: "page on the server", aim: "≥ 0.4", kind: "page", gancho: readers, floor },
  ] as const;
  const taken = figures.map(({ name, aim }): [Figure, Figure] => [
    { name, aim, unit: "requests/s", floor: [], gancho: [] },
    { name: `${name}, processor`, aim: "", unit: "ms", floor: [], gancho: [] },
  ]);
  // Warm-up: hot code gets compiled.
  for (const { kind, ...lanes } of figures)
    for (const side of ["floor", "gancho"] as const)
      await perSecond(lanes[side], calls[side][kind], 8);
  for (let round = 0; round < bench.rounds; round += 1)
    for (const [at, figure] of figures.entries())
      for (const side of ["floor", "gancho"] as const) {
        const before = cpuSeconds(bench.pids[side]);
        const call = calls[side][figure.kind];
        const { count, seconds } = await perSecond(figure[side], call, roundSeconds);
        taken[at]?.[0][side].push(count / seconds);
        taken[at]?.[1][side].push(((cpuSeconds(bench.pids[side]) - before) * 1_000) / count);
      }
  await agent.destroy();
  return taken.flat();
}

/** One of the service's clients as a partner, with something registered. */
export async function partnerWithWebhook(installation: Installation): Promise<Lane> {
  // Their own: what a request costs grows with the partners of its person.
  const people = await addPeople(installation.db);
  const partner = await installation.partner(direct, people);
  const client = { client_id: partner.id, client_secret: partner.secret };
  const service = directService(client, installation.sandboxUrl);
  await service.register({ url: "https://hooks.example.com/pix", authorization: "Bearer bench" });
  return { person: people[0], partner, token: await service.token(), revision: null, saves: 0 };
}

const saved = z.object({
  outcome: z.literal("saved"),
  configuration: z.object({ revision: z.string() }),
});
const listed = z.object({ revision: z.string() });

/** The answer's text; throws for any answer but 200. */
export async function ask(
  dispatcher: Agent,
  url: string | URL,
  headers: Record<string, string>,
  body?: object,
): Promise<string> {
  const answer = await request(url, {
    dispatcher,
    method: body ? "POST" : "GET",
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${text}`);
  return text;
}

/** The headers of a request from the dashboard's own page. */
export const inPage = (cookie: string, origin: string) => ({
  cookie,
  origin,
  "x-requested-by": "gancho",
});

const authorization = "Bearer bench";
/** Another address each time: what is registered already is not sent. */
const nextOf = (lane: Lane) => `https://hooks.example.com/pix/${(lane.saves += 1)}`;
const webhooksOf = (gancho: string, { partner }: Lane) =>
  `${gancho}/api/partners/${partner.id}/${partner.environment}/webhooks`;
const asPageOf = (gancho: string, { person }: Lane) => inPage(person.cookie, gancho);

export async function listOf(agent: Agent, gancho: string, lane: Lane): Promise<void> {
  await ask(agent, webhooksOf(gancho, lane), asPageOf(gancho, lane));
}

/** Reads first where the lane's revision is not known. */
export async function saveOf(agent: Agent, gancho: string, lane: Lane): Promise<void> {
  const send = (body?: object) =>
    ask(agent, webhooksOf(gancho, lane), asPageOf(gancho, lane), body);
  const revision = lane.revision ?? listed.parse(JSON.parse(await send())).revision;
  // Where the save fails, the next one reads again.
  lane.revision = null;
  const answer = await send({
    url: nextOf(lane),
    type: "pix_in",
    revision,
    authorization: { action: "replace", value: authorization },
    operation: crypto.randomUUID(),
  });
  lane.revision = saved.parse(JSON.parse(answer)).configuration.revision;
}

export async function pageOf(
  agent: Agent,
  gancho: string,
  { partner, person }: Lane,
): Promise<void> {
  await ask(agent, `${gancho}/partners/${partner.id}/${partner.environment}/webhooks`, {
    cookie: person.cookie,
    // Browsers send this header.
    "sec-fetch-dest": "document",
  });
}

function callsOf({ floor, gancho }: Bench, agent: Agent) {
  const send = (...sent: Parameters<typeof ask> extends [Agent, ...infer Rest] ? Rest : never) =>
    ask(agent, ...sent);
  const atService = ({ token }: Lane) => ({ authorization: `Bearer ${token}` });
  const ofFloor: Record<"list" | "save" | "page", Call> = {
    list: async (lane) => void (await send(`${floor}/api/list`, atService(lane))),
    save: async (lane) => {
      const body = { url: nextOf(lane), type: "pix_in", authorization };
      await send(`${floor}/api/save`, atService(lane), body);
    },
    page: async () => void (await send(`${floor}/`, {})),
  };
  const ofGancho: Record<"list" | "save" | "page", Call> = {
    list: (lane) => listOf(agent, gancho, lane),
    save: (lane) => saveOf(agent, gancho, lane),
    page: (lane) => pageOf(agent, gancho, lane),
  };
  return { floor: ofFloor, gancho: ofGancho };
}

/** How many calls end in about this many seconds, of all callers at once; each is for the lane that has waited longest. */
async function perSecond(lanes: readonly Lane[], call: Call, seconds: number) {
  const startedAt = performance.now();
  const waiting = [...lanes];
  let count = 0;
  const caller = async () => {
    while (performance.now() - startedAt < seconds * 1_000) {
      const lane = waiting.shift();
      if (!lane) return;
      await call(lane);
      waiting.push(lane);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { count, seconds: (performance.now() - startedAt) / 1_000 };
}
