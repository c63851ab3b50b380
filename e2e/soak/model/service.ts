import { canonicalUrl } from "@/lib/webhooks/model/webhook-version";
import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A payment service that keeps the contract's letter, and does otherwise what the contract leaves open. */
type Behaviour = {
  name: string;
  /** What its list shows of a value. Left out: the value. */
  shows?: (value: string) => string | null;
  /** How it writes an address. */
  writes?: (url: string) => string;
  /** What it makes of a type in its list; null leaves it out. */
  types?: (type: string) => string | null;
  /** Replicas that answer the list, each so many milliseconds behind at the most. */
  replicas?: { count: number; lagMs: number };
  /** How long after its answer a write takes effect, milliseconds; 0: before it. */
  lateMs?: () => number;
  /** What to do with a write and with the answer to it. */
  fate?: () =>
    | "answered"
    | "lost"
    | "lost and forgotten"
    | "500"
    | "500 and forgotten"
    | "422"
    | "422 and taken";
  /** An overwrite without a value keeps the one that is there. */
  keepsOmitted?: boolean;
};

export type Held = { url: string; value: string | null } | null;
export type Type = "pix_in" | "pix_out";
const types: Type[] = ["pix_in", "pix_out"];

/** What was in force for one type, since when on `performance.now()`, and by which request. */
export type Event = { type: Type; at: number; held: Held; by: "gancho" | "outside" };

export type Write = {
  client: string;
  at: number;
  type: Type | "both";
  url: string;
  value: string | null;
  /** With what it is answered; null: with nothing. */
  status: number | null;
};

export type ModelService = {
  url: string;
  behaviour: Behaviour;
  /** The truth about one client, the oldest first. */
  events: (client: string) => readonly Event[];
  /** What Gancho sent, whatever became of it. */
  writes: (client: string) => readonly Write[];
  /** Another client of the service changes something. */
  write: (client: string, type: Type | "both", url: string, value: string | null) => void;
  close: () => Promise<void>;
};

export async function startModelService(behaviour: Behaviour): Promise<ModelService> {
  const events = new Map<string, Event[]>();
  const writes = new Map<string, Write[]>();
  const of = <Item>(map: Map<string, Item[]>, client: string): Item[] => {
    const found = map.get(client) ?? [];
    map.set(client, found);
    return found;
  };
  const tokens = new Map<string, string>();

  function apply(by: Event["by"], { client, type, url, value }: Omit<Write, "at" | "status">) {
    const at = performance.now();
    for (const each of types) {
      if (type !== "both" && type !== each) continue;
      const before = of(events, client).findLast((event) => event.type === each)?.held;
      const kept = behaviour.keepsOmitted && value === null ? (before?.value ?? null) : value;
      of(events, client).push({ type: each, at, held: { url, value: kept }, by });
    }
  }

  function listed(client: string, at: number) {
    return types.flatMap((type) => {
      const event = of(events, client).findLast((each) => each.type === type && each.at <= at);
      if (!event?.held) return [];
      const { url, value } = event.held;
      const shown = value === null ? null : (behaviour.shows ?? ((same) => same))(value);
      const named = (behaviour.types ?? ((same) => same))(type);
      return [
        {
          ...(named !== null && { type: named }),
          callback_url: (behaviour.writes ?? ((same) => same))(url),
          ...(shown !== null && { auth_header: shown }),
          events:
            type === "pix_in" ? ["collection.paid"] : ["transfer.completed", "transfer.failed"],
        },
      ];
    });
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify(body));
    };
    const [scheme = "", credentials = ""] = (request.headers.authorization ?? "").split(" ");
    if (request.url?.endsWith("/api/oauth/token")) {
      const [client = ""] = Buffer.from(credentials, "base64").toString().split(":");
      const token = randomUUID();
      tokens.set(token, client);
      return send(200, { access_token: token, token_type: "Bearer", expires_in: 1_800 });
    }
    const client = scheme === "Bearer" ? tokens.get(credentials) : undefined;
    if (client === undefined) return send(401, { error: "unauthorized" });
    if (request.method === "GET") {
      const { count, lagMs } = behaviour.replicas ?? { count: 1, lagMs: 0 };
      // Each replica is as far behind as it is: the first not at all.
      const lag = (Math.floor(Math.random() * count) / Math.max(1, count - 1)) * lagMs;
      const webhooks = listed(client, performance.now() - lag);
      return webhooks.length > 0
        ? send(200, { webhooks })
        : send(404, { error: "Configuration not found" });
    }
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
    const { url = "", authorization = null, type = "both" } = body;
    const write = { client, type: type as Type | "both", url, value: authorization };
    const at = performance.now();
    const fate = (behaviour.fate ?? (() => "answered" as const))();
    const isTaken = !fate.endsWith("forgotten") && fate !== "422";
    const lateMs = isTaken ? (behaviour.lateMs?.() ?? 0) : 0;
    const made = of(events, client).length > 0 ? 200 : 201;
    const status = fate === "answered" ? made : fate.startsWith("lost") ? null : parseInt(fate, 10);
    of(writes, client).push({ ...write, at, status });
    if (isTaken && lateMs === 0) apply("gancho", write);
    if (status === null) request.socket.destroy();
    else send(status, status < 300 ? { message: "Operation succeeded" } : { error: "made up" });
    if (isTaken && lateMs > 0) {
      await pause(lateMs);
      apply("gancho", write);
    }
  }

  const server = http.createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    behaviour,
    events: (client) => of(events, client),
    writes: (client) => of(writes, client),
    write: (client, type, url, value) => apply("outside", { client, type, url, value }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const chance = (part: number) => Math.random() < part;
const upTo = (ms: number) => Math.round(Math.random() * ms);
const oneOf = <Value>(...values: Value[]) =>
  values[Math.floor(Math.random() * values.length)] as Value;

/** `windowMs`: for how long Gancho follows a save; nothing takes effect later than that. */
export function behaviours(windowMs: number): Behaviour[] {
  const late = () => (chance(0.6) ? upTo(windowMs * 0.5) : 0);
  const faults = () =>
    oneOf(
      "answered",
      "lost",
      "lost and forgotten",
      "500",
      "500 and forgotten",
      "422",
      "422 and taken",
    );
  const masks = {
    asterisks: (value: string) => `${value.slice(0, 7)}********`,
    handle: () => "value-is-set",
    prefix: (value: string) => value.slice(0, 12),
    nothing: () => null,
  };
  return [
    {
      name: "well-behaved, up to 1.9 s behind",
      replicas: { count: 1, lagMs: 0 },
      lateMs: () => upTo(1_900),
    },
    { name: "well-behaved, at once" },
    { name: "late", lateMs: late },
    { name: "replicas that lag", replicas: { count: 3, lagMs: windowMs / 12 } },
    { name: "masks by asterisks", shows: masks.asterisks },
    { name: "masks by a word", shows: masks.handle },
    { name: "shows a prefix", shows: masks.prefix, lateMs: late },
    { name: "shows no value", shows: masks.nothing },
    { name: "shows no value and keeps an omitted one", shows: masks.nothing, keepsOmitted: true },
    { name: "keeps an omitted value", keepsOmitted: true, lateMs: late },
    {
      name: "writes in its own way",
      writes: (url) => canonicalUrl(url).replace(/^https:\/\/([^/]+)/, "https://$1:443"),
      types: (type) => oneOf(type, type.toUpperCase(), null),
    },
    { name: "loses answers", fate: faults },
    { name: "loses answers, late", fate: faults, lateMs: late },
    {
      name: "everything at once",
      fate: () => (chance(0.5) ? "answered" : faults()),
      lateMs: late,
      shows: (value) => masks.asterisks(value),
      replicas: { count: 2, lagMs: windowMs / 12 },
      types: (type) => oneOf(type, null),
    },
  ];
}
