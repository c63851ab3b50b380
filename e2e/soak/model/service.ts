import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import type { Dice } from "@/e2e/soak/random";

/** A payment service that keeps the contract's letter, and does otherwise what the contract leaves open. */
export type Behaviour = Traits & {
  name: string;
  /** No fault of the list is drawn for it. */
  behaves?: true;
  /** What becomes different once the service turns, in the middle of a run, and is as before once it turns back. */
  later?: Traits;
};

type Traits = {
  /** What its list shows of a value. Left out: the value. */
  shows?: (value: string) => string | null;
  /** How it writes an address. */
  writes?: (url: string) => string;
  /** What it makes of a type in its list; null leaves it out. */
  types?: (type: Type, dice: Dice) => string | null;
  /** Replicas that answer the list, each so many milliseconds behind at the most. */
  replicas?: { count: number; lagMs: number };
  /** How long after its answer a write takes effect, milliseconds; 0: before it. */
  lateMs?: (dice: Dice) => number;
  /** What to do with a write and with the answer to it. */
  fate?: (dice: Dice) => Fate;
  /** An overwrite without a value keeps the one that is there. */
  keepsOmitted?: boolean;
  /** How long the list takes, milliseconds. */
  listMs?: (dice: Dice) => number;
};

/**
 * `status`: null closes the connection without an answer. `dirty`: the list shows it for so many milliseconds, and then
 * it is rolled back.
 */
export type Fate = { status: number | null; effect: "applied" | "forgotten" | { dirtyMs: number } };

export type Held = { url: string; value: string | null } | null;
export type Type = "pix_in" | "pix_out";
export const types: Type[] = ["pix_in", "pix_out"];

/** What its list answers for a while, whatever is registered. */
export const lies = ["not found", "empty", "null", "one type", "503", "silence"] as const;
export type Lie = (typeof lies)[number];

/** All times are on `performance.now()`. */
export type Write = {
  at: number;
  type: Type | "both";
  url: string;
  value: string | null;
  /** With what it is answered; null: with nothing. */
  status: number | null;
};

/** What was in force for one type since when, and by which write; `by` null: another client's. */
export type Event = { type: Type; at: number; held: Held; by: Write | null };

/** A write that was never applied, while the list showed it. */
export type Dirty = { type: Type; from: number; until: number; held: Held; by: Write };

/** One answer of the list that says what is registered. `plain`: it shows values as they are. */
export type Listed = {
  from: number;
  until: number;
  plain: boolean;
  items: { type: Type; url: string; shown: string | null }[];
};

/** The truth about one client of the service, and what others do to it. */
export type Client = {
  /** The oldest first. */
  events: readonly Event[];
  dirty: readonly Dirty[];
  /** What Gancho sent, whatever became of it. */
  writes: readonly Write[];
  lists: readonly Listed[];
  turns: readonly number[];
  /** Another client of the service changes something. */
  write: (type: Type | "both", url: string, value: string | null) => void;
  /** From now on, for this client, the service is as it is later; or as it was, if it turned before. */
  turn: () => void;
  lie: (lie: Lie, ms: number) => void;
};

export type ModelService = Awaited<ReturnType<typeof startModelService>>;

type State = Client & {
  dice: Dice;
  events: Event[];
  dirty: Dirty[];
  writes: Write[];
  lists: Listed[];
  turns: number[];
  lying: { lie: Lie; until: number } | null;
};

export async function startModelService(behaviour: Behaviour) {
  const clients = new Map<string, State>();
  const tokens = new Map<string, State>();

  const traitsOf = ({ turns }: State): Traits =>
    turns.length % 2 === 1 ? { ...behaviour, ...behaviour.later } : behaviour;

  /** A client may call from now on. */
  function open(name: string, dice: Dice): Client {
    const state: State = {
      dice,
      events: [],
      dirty: [],
      writes: [],
      lists: [],
      turns: [],
      lying: null,
      write: (type, url, value) => apply(state, null, { type, url, value }),
      turn: () => void (behaviour.later && state.turns.push(performance.now())),
      lie: (lie, ms) => {
        state.lying = { lie, until: performance.now() + ms };
      },
    };
    clients.set(name, state);
    return state;
  }

  function apply(
    state: State,
    by: Write | null,
    { type, url, value }: Pick<Write, "type" | "url" | "value">,
  ) {
    const at = performance.now();
    for (const each of types) {
      if (type !== "both" && type !== each) continue;
      const before = state.events.findLast((event) => event.type === each)?.held;
      const { keepsOmitted } = traitsOf(state);
      const kept = keepsOmitted && value === null ? (before?.value ?? null) : value;
      state.events.push({ type: each, at, held: { url, value: kept }, by });
    }
  }

  function itemsAt(state: State, at: number): Listed["items"] {
    const { shows = (same) => same, writes = (same) => same } = traitsOf(state);
    return types.flatMap((type) => {
      const isShown = (one: Dirty) => one.type === type && one.from <= at && at < one.until;
      const held =
        state.dirty.find(isShown)?.held ??
        state.events.findLast((event) => event.type === type && event.at <= at)?.held;
      if (!held) return [];
      return [
        { type, url: writes(held.url), shown: held.value === null ? null : shows(held.value) },
      ];
    });
  }

  async function list(state: State): Promise<[status: number, body: unknown] | null> {
    const { dice, lying } = state;
    const from = performance.now();
    const traits = traitsOf(state);
    const listMs = traits.listMs?.(dice) ?? 0;
    if (listMs > 0) await pause(listMs / 2);
    const lie = lying && from < lying.until ? lying.lie : null;
    if (lie === "silence") await pause(Math.max(0, (lying?.until ?? 0) - performance.now()));
    if (lie === "silence") return null;
    if (lie === "503") return [503, { error: "made up" }];
    if (lie === "null") return [200, { webhooks: null }];
    const { count, lagMs } = traits.replicas ?? { count: 1, lagMs: 0 };
    // Each replica is as far behind as it is: the first not at all.
    const lag = (dice.under(count) / Math.max(1, count - 1)) * lagMs;
    const there = itemsAt(state, performance.now() - lag);
    const items = lie === "one type" ? there.slice(0, 1) : lie === null ? there : [];
    if (listMs > 0) await pause(listMs / 2);
    const plain = traits.shows === undefined;
    state.lists.push({ from, until: performance.now(), plain, items });
    if (items.length === 0 && lie !== "empty") return [404, { error: "Configuration not found" }];
    const webhooks = items.map(({ type, url, shown }) => {
      const named = (traits.types ?? ((same) => same))(type, dice);
      return {
        ...(named !== null && { type: named }),
        callback_url: url,
        ...(shown !== null && { auth_header: shown }),
        events: type === "pix_in" ? ["collection.paid"] : ["transfer.completed", "transfer.failed"],
      };
    });
    return [200, { webhooks }];
  }

  async function register(
    state: State,
    body: Record<string, string>,
    send: (status: number | null, body: unknown) => void,
  ) {
    const { url = "", authorization = null, type = "both" } = body;
    const traits = traitsOf(state);
    const made = state.events.length > 0 ? 200 : 201;
    const fate = traits.fate?.(state.dice) ?? { status: made, effect: "applied" };
    const lateMs = fate.effect === "applied" ? (traits.lateMs?.(state.dice) ?? 0) : 0;
    const at = performance.now();
    const status = fate.status === 200 ? made : fate.status;
    const write: Write = { at, type: type as Write["type"], url, value: authorization, status };
    state.writes.push(write);
    if (typeof fate.effect === "object")
      for (const each of types)
        if (type === "both" || type === each)
          state.dirty.push({
            type: each,
            from: at,
            until: at + fate.effect.dirtyMs,
            held: { url, value: authorization },
            by: write,
          });
    if (fate.effect === "applied" && lateMs === 0) apply(state, write, write);
    send(
      status,
      status !== null && status < 300 ? { message: "Operation succeeded" } : { error: "made up" },
    );
    if (fate.effect === "applied" && lateMs > 0) {
      await pause(lateMs);
      apply(state, write, write);
    }
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const send = (status: number | null, body: unknown) => {
      if (status === null) return request.socket.destroy();
      response.writeHead(status, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify(body));
    };
    const [scheme = "", credentials = ""] = (request.headers.authorization ?? "").split(" ");
    if (request.url?.endsWith("/api/oauth/token")) {
      const [name = ""] = Buffer.from(credentials, "base64").toString().split(":");
      const state = clients.get(name);
      if (!state) return send(401, { error: "unauthorized" });
      const token = randomUUID();
      tokens.set(token, state);
      return send(200, { access_token: token, token_type: "Bearer", expires_in: 1_800 });
    }
    const state = scheme === "Bearer" ? tokens.get(credentials) : undefined;
    if (!state) return send(401, { error: "unauthorized" });
    if (request.method === "GET") {
      const [status, listed] = (await list(state)) ?? [null, null];
      return send(status, listed);
    }
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
    return register(state, body, send);
  }

  const server = http.createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listenHere(server);
  return {
    url: `http://127.0.0.1:${port}`,
    behaviour,
    open,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
