/**
 * A payment service that misbehaves on request, for tests.
 *
 * It speaks HTTP (or HTTPS with any given certificate) on 127.0.0.1 and treats each request as its plan says (plan.ts):
 * wait, answer something else, drip, cut, reset, redirect, apply and then cut, apply later. With a `sandbox` it forwards
 * every request that no rule matches, so that the sandbox stays the record of what was really applied. It records the
 * requests it received.
 */
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Certificate } from "@/lib/tools/certificates";
import { forward, type Arrived, type SandboxAnswer } from "./forward";
import { kinds, type Action, type Kind, type Plan, type Rule } from "./plan";
import { writeAnswer, answerBytes } from "./write-answer";

type Options = {
  /** Base address of the sandbox to forward to. */
  sandbox?: string;
  /** Left out: plain HTTP. */
  certificate?: Certificate;
  /** Left out: any free port. */
  port?: number;
  /** Leaves connections open after an answer, as far as the plan and the caller do. */
  keepAlive?: boolean;
};

/** One request as it arrived, and what became of it. */
type Received = {
  kind: Kind;
  prefix: string | null;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  /** The caller's port: requests of one connection have the same. */
  from: number;
  /** The status of the sandbox's answer; null while the sandbox has not got it. */
  applied: number | null;
};

export type FaultyUpstream = Awaited<ReturnType<typeof startFaultyUpstream>>;

export async function startFaultyUpstream({
  sandbox,
  certificate,
  port = 0,
  keepAlive = false,
}: Options = {}) {
  let plan: Plan = { rules: [] };
  let matched = new Map<Rule, number>();
  let received: Received[] = [];
  /** TCP sockets by the caller's port: a TLS socket cannot send an RST, the TCP socket under it can. */
  const sockets = new Map<number, net.Socket>();
  let connections = 0;
  let bytesSent = 0;
  const work = new Set<Promise<void>>();
  let holding: (() => void)[] = [];
  const stopping = new AbortController();

  const inner = certificate ? https.createServer(certificate) : http.createServer();
  inner.on("tlsClientError", (_error, socket) => socket.destroy());
  inner.on("clientError", (_error, socket) => socket.destroy());
  inner.on("request", (request: http.IncomingMessage) => {
    // The other side went away, or the sandbox did: there is nothing to answer.
    const task = handle(request).catch(() => void request.socket.destroy());
    work.add(task);
    void task.finally(() => work.delete(task));
  });

  const outer = net.createServer((socket) => {
    connections += 1;
    const key = socket.remotePort ?? 0;
    sockets.set(key, socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      bytesSent += socket.bytesWritten;
      if (sockets.get(key) === socket) sockets.delete(key);
    });
    if (plan.connections === "reset") socket.resetAndDestroy();
    // Reads on, so that it notices when the other side has gone.
    else if (plan.connections === "hang") socket.resume();
    else inner.emit("connection", socket);
  });

  async function handle(request: http.IncomingMessage): Promise<void> {
    const arrived = await read(request);
    const line = record(arrived, request.socket.remotePort ?? 0);
    const action = choose(line);
    // Held as soon as it is counted, so that a test that sees the count can release it.
    const held = action.held ? new Promise<void>((resolve) => holding.push(resolve)) : null;
    const apply = action.apply ?? (action.answer || action.raw !== undefined ? "never" : "first");
    const toSandbox = async (): Promise<SandboxAnswer | null> => {
      if (sandbox === undefined) return null;
      const answer = await forward(sandbox, { ...arrived, path: line.path });
      line.applied = answer.status;
      return answer;
    };

    const fromSandbox = apply === "first" ? await toSandbox() : null;
    const { signal } = stopping;
    if (action.delayMs) await pause(action.delayMs, null, { signal }).catch(() => null);
    await held;
    const isKept = keepAlive && request.headers.connection !== "close";
    const bytes = answerBytes(action, fromSandbox, isKept ? "keep-alive" : "close");
    await writeAnswer(request.socket, bytes, action, signal);
    const isWhole = action.raw === undefined && action.cutAfter === undefined;
    end(request.socket, action.ending ?? (isKept && isWhole ? "hang" : "close"));
    if (typeof apply === "object") {
      await pause(apply.lateMs, null, { signal }).catch(() => null);
      if (!signal.aborted) await toSandbox();
    }
  }

  function record({ method, path, headers, body }: Arrived, from: number): Received {
    const [, prefix, rest] = /^(?:\/([a-z0-9-]+))?(\/api\/.*)$/.exec(path) ?? [];
    const bare = rest ?? path;
    const line: Received = {
      kind: kindOf(method, bare),
      prefix: prefix ?? null,
      path: bare,
      headers,
      body: body.toString("utf8"),
      from,
      applied: null,
    };
    received.push(line);
    return line;
  }

  /** Every rule that matches counts the request; the first that applies to its number decides. */
  function choose({ kind, prefix }: Received): Action {
    let chosen: Action | undefined;
    for (const rule of plan.rules) {
      if (rule.kind !== "any" && rule.kind !== kind) continue;
      if (rule.prefix !== undefined && rule.prefix !== prefix) continue;
      const number = (matched.get(rule) ?? 0) + 1;
      matched.set(rule, number);
      const { from = 1, times = Infinity } = rule;
      if (number >= from && number < from + times) chosen ??= rule.action;
    }
    return chosen ?? (sandbox === undefined ? { answer: { status: 501 } } : {});
  }

  function end(socket: net.Socket, ending: NonNullable<Action["ending"]>): void {
    if (ending === "close") socket.end();
    if (ending === "reset") sockets.get(socket.remotePort ?? 0)?.resetAndDestroy();
  }

  function release(): void {
    const held = holding;
    holding = [];
    for (const resume of held) resume();
  }

  outer.listen({ host: "127.0.0.1", port });
  await once(outer, "listening");
  const address = outer.address();
  if (address === null || typeof address === "string") throw new Error("Not a TCP server");

  return {
    /** Base address without a trailing slash; with a certificate by name, since that is what certificates are for. */
    url: certificate ? `https://localhost:${address.port}` : `http://127.0.0.1:${address.port}`,
    port: address.port,
    /** Replaces the plan, and resets all counts. */
    setPlan(next: Plan): void {
      plan = next;
      matched = new Map();
      received = [];
      connections = 0;
      bytesSent = 0;
    },
    /** Requests of each kind since the plan was set. */
    counts(): Record<Kind, number> {
      const count = (kind: Kind) => received.filter((line) => line.kind === kind).length;
      return {
        token: count("token"),
        list: count("list"),
        register: count("register"),
        other: count("other"),
      };
    },
    received: (): readonly Received[] => received,
    /** Connections taken since the plan was set, those that are open now, and bytes sent on those that are closed. */
    traffic: () => ({ connections, open: sockets.size, bytesSent }),
    /** Resolves when every request is done, late writes included. */
    async idle(): Promise<void> {
      while (work.size > 0) await Promise.all(work);
    },
    /** Continues the requests that are held now. */
    release,
    async close(): Promise<void> {
      stopping.abort();
      release();
      const closed = once(outer, "close");
      outer.close();
      for (const socket of sockets.values()) socket.destroy();
      await Promise.all([closed, ...work]);
    },
  };
}

function kindOf(method: string, path: string): Kind {
  const [token, list, register, other] = kinds;
  if (method === "POST" && path === "/api/oauth/token") return token;
  if (method === "GET" && path === "/api/v1/webhooks") return list;
  if (method === "POST" && path === "/api/v1/webhooks") return register;
  return other;
}

async function read(request: http.IncomingMessage): Promise<Arrived> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: request.headers,
    body: Buffer.concat(pieces),
  };
}
