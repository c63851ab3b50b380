import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { root } from "./root";
import { isStopping, inFlight } from "@/lib/platform/runtime/in-flight";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { log } from "@/lib/platform/log/log";
import { currentRequestId, requestNote } from "@/lib/platform/log/request-note";
import { renderMetrics } from "@/lib/platform/metrics/metrics";
import { dashboardServers, requireAddress } from "./dashboard-server";
import { closeServers, stopServing } from "./stop";

let servers: Server[] = [];
afterEach(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  servers = [];
});

const usual = {
  port: 0,
  host: null,
  url: new URL("https://gancho.example.com"),
  trustedProxyHops: 0,
  development: false,
};
const handled: RequestListener = (_incoming, response) => response.end("handled");

async function serve(handler: RequestListener = handled, options = {}) {
  servers = await dashboardServers({ ...usual, ...options }).listen(handler);
  const { port } = servers[0]?.address() as AddressInfo;
  return port;
}

type Sent = {
  headers?: Record<string, string>;
  method?: string;
  path?: string;
  agent?: Agent;
};

async function send(port: number, sent: Sent = {}) {
  const call = request({ host: "127.0.0.1", port, ...sent }).end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const { statusCode: status, headers } = response;
  return { status, headers, text: await text(response) };
}

it("drops the headers with which a caller claims an identity or a route (threat: forged addresses, hosts and framework headers)", async () => {
  const port = await serve((incoming, response) => response.end(JSON.stringify(incoming.headers)));
  const forged =
    "gancho-x forwarded-port client-ip middleware-rewrite middleware-request-cookie invoke-path matched-path now-route-matches " +
    "vercel-id original-url rewrite-url http-method-override";
  const { text } = await send(port, {
    headers: {
      ...Object.fromEntries(forged.split(" ").map((name) => [`x-${name}`, "/partners"])),
      "true-client-ip": "6.6.6.6",
      "x-gancho-client-address": "6.6.6.6",
      "x-forwarded-for": "6.6.6.6",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      forwarded: "for=6.6.6.6",
      "x-real-ip": "6.6.6.6",
      "x-middleware-subrequest": "proxy:proxy:proxy",
      "content-security-policy": "script-src 'nonce-known'",
      "content-security-policy-report-only": "script-src 'nonce-known'",
      "x-nonce": "known",
      // Threat: a caller who has everybody's requests recorded.
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      tracestate: "vendor=1",
      baggage: "user=1",
      "x-requested-by": "gancho",
      "accept-language": "pt-BR",
    },
  });
  expect(JSON.parse(text)).toEqual({
    host: `127.0.0.1:${port}`,
    connection: "keep-alive",
    "x-requested-by": "gancho",
    "accept-language": "pt-BR",
    "x-gancho-client-address": "127.0.0.1",
  });
});

it.each([
  ["https://gancho.example.com", "max-age=63072000; includeSubDomains"],
  ["http://localhost:3000", undefined],
])(
  "sends HSTS with every answer of %s, where that is https (threat: a first request in the clear)",
  async (url, reported) => {
    const port = await serve(handled, { url: new URL(url) });
    for (const path of ["/", "/_next/static/a.js", "/%"])
      expect((await send(port, { path })).headers["strict-transport-security"]).toBe(reported);
  },
);

it.each<[string, number, Sent[]]>([
  [
    "a body beyond any of ours, before reading it",
    413,
    [{ method: "POST", path: "/api/x", headers: { "content-length": "300000" } }],
  ],
  [
    "unknown methods (threat: TRACE, which would repeat cookies)",
    405,
    [{ method: "TRACE" }, { method: "PROPFIND" }],
  ],
  [
    "an address with broken escapes (threat: failures on demand)",
    400,
    ["/%", "/a?b=%zz", "/%ff", "*"].map((path) => ({ path })),
  ],
])("refuses %s before the handler, with nosniff and HSTS", async (_what, status, requests) => {
  const port = await serve();
  for (const refused of requests) {
    const answer = await send(port, refused);
    expect(answer).toMatchObject({ status, text: "" });
    expect(answer.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "strict-transport-security": expect.stringContaining("max-age=63072000"),
    });
  }
});

/** Gives up in the middle of a body, which takes the request's socket away from it. */
const givingUp: RequestListener = async (incoming, response) => {
  for await (const piece of incoming) if (piece) break;
  response.end("handled");
};

it.each<[string, number, string, RequestListener]>([
  ["GET", 400, "before any reader", handled],
  ["HEAD", 400, "before any reader", handled],
  ["POST", 200, "that nobody reads", handled],
  ["POST", 200, "whose reader gave up", givingUp],
])(
  "closes the connection of a %s, answered with %i, whose body goes on, %s (threat: a body without an end)",
  { timeout: 10_000 },
  async (method, status, _how, handler) => {
    const port = await serve(handler);
    const client = connect(port, "127.0.0.1");
    client.on("error", () => client.destroy());
    const head = `${method} /api/x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`;
    client.write(`${head}1\r\nx\r\n`);
    const [answer] = (await once(client, "data")) as [Buffer];
    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const endless = setInterval(() => client.write("1\r\nx\r\n"), 100);
    // Writing to a closed connection is an error, which `once` would reject with.
    await new Promise((resolve) => client.once("close", resolve));
    clearInterval(endless);
  },
);

it("reads no body of a GET, which no browser sends (threat: a body without an end that the framework copies)", async () => {
  let read = 0;
  const port = await serve((incoming, response) => {
    incoming.on("data", (piece: Buffer) => (read += piece.length));
    incoming.on("end", () => response.end("handled"));
  });
  const headers = { "content-length": "5" };
  const call = request({ host: "127.0.0.1", port, path: "/sign-in", headers }).end("endle");
  const [{ statusCode }] = (await once(call, "response")) as [IncomingMessage];
  expect([statusCode, read]).toEqual([400, 0]);
  expect(await send(port, { headers: { "content-length": "0" } })).toMatchObject({ status: 200 });
});

it("outlives clients that reset a connection, and failures to accept one (threat: an exception that ends the process)", async () => {
  const port = await serve();
  const sockets = Array.from({ length: 50 }, () => connect(port, "127.0.0.1"));
  for (const client of sockets) {
    client.on("error", () => undefined);
    client.once("connect", () => {
      client.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
      client.resetAndDestroy();
    });
  }
  await Promise.all(sockets.map((client) => new Promise((gone) => client.once("close", gone))));
  servers[0]?.emit("error", new Error("accept EMFILE"));
  expect((await send(port)).text).toBe("handled");
});

it("refuses more headers than are read (threat: pushing out what the proxy says of the caller)", async () => {
  const answer = (incoming: IncomingMessage) => String(incoming.headers["x-gancho-client-address"]);
  const port = await serve((incoming, response) => response.end(answer(incoming)), {
    trustedProxyHops: 1,
  });
  const junk = Array.from({ length: 98 }, (_, n) => `x-${n}: 0`);
  const forwarded = (from: string) => `x-forwarded-for: ${from}`;
  const send = (...headers: string[]) => {
    const head = ["GET / HTTP/1.1", "host: x", "connection: close", ...headers, "", ""];
    return text(connect(port, "127.0.0.1").end(head.join("\r\n")));
  };
  const lines = [forwarded("198.51.100.1"), ...junk, forwarded("203.0.113.9")];
  expect(await send(...lines)).toMatch(/^HTTP\/1.1 431 /);
  expect(await send(...lines.filter((line) => !junk.includes(line)))).toContain("203.0.113.9");
});

it("allows one session so many pages and requests a minute, and refuses more before reading anything for them (threat: a viewer's loop that starves others)", async () => {
  let handled = 0;
  const port = await serve(
    (_incoming, response) => {
      handled += 1;
      response.end("handled");
    },
    { requestsPerMinute: { pages: 2, data: 3 } },
  );
  const ask = (path: string, session: string) =>
    send(port, { path, headers: { cookie: `other=1; __Host-gancho.session=${session}` } });
  const statuses = async (path: string, session: string) => {
    const answers = [];
    for (let times = 0; times < 4; times += 1) answers.push((await ask(path, session)).status);
    return answers;
  };
  expect(await statuses("/partners?page=2", "one")).toEqual([200, 200, 429, 429]);
  expect(await statuses("/api/partners", "one")).toEqual([200, 200, 200, 429]);
  expect(await statuses("/_next/static/chunk.js", "one")).toEqual([200, 200, 200, 200]);
  expect((await ask("/partners", "another")).status).toBe(200);
  expect((await send(port, { path: "/api/health/ready" })).status).toBe(200);
  expect(handled).toBe(11);

  const { headers, text } = await ask("/api/partners", "one");
  expect(JSON.parse(text)).toMatchObject({ code: "too_many_requests", applied: "no" });
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect((await ask("/partners", "one")).text).toMatch(/Too many requests.*Requisições demais/s);
});

it("counts a session once, however its cookie and the address are written (threat: a loop that changes their form)", async () => {
  const port = await serve(handled, { requestsPerMinute: { pages: 9, data: 1 } });
  const name = "__Host-gancho.session";
  const ask = async (cookie: string, path = "/api/partners") =>
    (await send(port, { path, headers: { cookie } })).status;
  expect(await ask(`${name}=one`)).toBe(200);
  for (const cookie of [`a=b;${name}=one`, `${name}=two; ${name}=one`, `${name}=%6fne`])
    expect(await ask(cookie), cookie).toBe(429);
  for (const path of ["/_next/../api/partners", "/_next/static/%2e%2e/%2e%2e/api/partners"])
    expect(await ask(`${name}=one`, path), path).toBe(429);
});

it("answers a page that could not read the database with 503 and Retry-After, and leaves any other failure as it is", async () => {
  const port = await serve((incoming, response) => {
    const note = requestNote();
    if (note) note.lackedDatabase = incoming.url !== "/broken";
    response.statusCode = incoming.url === "/handled" ? 200 : 500;
    response.end("what happened");
  });
  const answer = async (path: string) => {
    const { status, headers, text } = await send(port, { path });
    return { status, retryAfter: headers["retry-after"], text };
  };
  expect(await answer("/partners")).toEqual({
    status: 503,
    retryAfter: "5",
    text: "what happened",
  });
  for (const [path, status] of [
    ["/broken", 500],
    ["/handled", 200],
    ["/api/partners", 500],
  ] as const)
    expect(await answer(path)).toMatchObject({ status, retryAfter: undefined });
});

it("answers 404 for a page that says that nothing is there, and 200 for its data, with which a script draws it", async () => {
  const port = await serve((incoming, response) => {
    const note = requestNote();
    if (note) note.isNotFound = true;
    const type = incoming.url === "/data" ? "text/x-component" : "text/html; charset=utf-8";
    response.setHeader("content-type", type);
    response.end("Nothing here");
  });
  expect((await send(port, { path: "/page" })).status).toBe(404);
  expect((await send(port, { path: "/data" })).status).toBe(200);
});

it("answers 503 with Retry-After and what to do where connections have used up the file descriptors, and serves again once they end", async () => {
  const program =
    "exec node --conditions=react-server --import tsx lib/cli/testing/crowded-program.ts";
  const child = spawn("sh", ["-c", `ulimit -n 256; ${program}`], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, "exit");
  });
  const [printed] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const port = Number(printed);
  const agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  const ask = (path: string, agent = agents[0]) => send(port, { path, ...(agent && { agent }) });
  for (const agent of agents) expect((await ask("/", agent)).text).toBe("handled");

  const begun: Socket[] = [];
  // Connections that send nothing are closed soon, and the last of them at once.
  const begin = () => {
    const socket = connect(port, "127.0.0.1").on("error", () => 0);
    socket.write("G");
    begun.push(socket);
    return new Promise((closed) => socket.once("close", closed));
  };
  await Promise.race(Array.from({ length: 300 }, begin));
  // A refusal ends its connection, which leaves room for one more.
  const refused = (path: string, agent?: Agent) =>
    vi.waitFor(async () => {
      const answer = await ask(path, agent);
      void begin();
      expect(answer.status).toBe(503);
      return answer;
    });
  const { headers, text } = await refused("/api/partners");
  expect([headers["retry-after"], headers.connection]).toEqual(["5", "close"]);
  expect(JSON.parse(text)).toMatchObject({ code: "overloaded", applied: "no", retryable: true });
  const page = await refused("/partners", agents[1]);
  expect(page.text).toMatch(/too many connections.*conexões demais/s);

  for (const socket of begun) socket.destroy();
  const again = async () => (await ask("/").catch(() => ({ text: "closed" }))).text;
  await vi.waitFor(async () => expect(await again()).toBe("handled"), { timeout: 20_000 });
  for (const agent of agents) agent.destroy();
});

it("accepts only GET and HEAD for pages and files (threat: a call of the framework's server actions, which Gancho does not use)", async () => {
  const port = await serve();
  const disguised = ["/api/../sign-in", "/api/%2e%2e/sign-in", "/api/.%2E/x"];
  for (const path of ["/", "/sign-in", "/apis", "//api/x", "/_next/static/a.js", ...disguised])
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const { status, headers } = await send(port, { method, path });
      expect([status, headers.allow], `${method} ${path}`).toEqual([405, "GET, HEAD"]);
    }
  expect((await send(port, { method: "POST", path: "/api/x" })).text).toBe("handled");
});

it("drops a kind of prefetch that no page asks for (threat: error lines on demand)", async () => {
  const port = await serve((incoming, response) => response.end(JSON.stringify(incoming.headers)));
  for (const kind of ["1", "2", "3", "x"]) {
    const { text } = await send(port, { headers: { "next-router-prefetch": kind } });
    expect(text.includes("next-router-prefetch")).toBe(kind === "1");
  }
});

it("drops a router state that cannot be parsed (threat: failures on demand)", async () => {
  const port = await serve((incoming, response) => response.end(JSON.stringify(incoming.headers)));
  const encoded = (...more: unknown[]) =>
    encodeURIComponent(JSON.stringify(["", { children: ["partners", {}] }, ...more]));
  for (const [header, kept] of [
    [encoded(null, "refetch"), true],
    [encoded(null, "unheard of"), false],
    [encoded(null, null, true), false],
    ["%5B", false],
    ["%5B%5D", false],
    ["%", false],
  ] as const) {
    const { text } = await send(port, { headers: { "next-router-state-tree": header } });
    expect(text.includes("next-router-state-tree")).toBe(kept);
  }
});

it("closes a connection that asks for a protocol upgrade (threat: connections kept for nothing)", async () => {
  const port = await serve();
  const headers = { connection: "upgrade", upgrade: "websocket" };
  expect((await send(port, { headers })).status).toBe(400);
});

it("stops although a client keeps an upgraded connection open (threat: a program that cannot be stopped)", async () => {
  const port = await serve(handled, { development: true });
  const upgraded = once(servers[0] as Server, "upgrade");
  servers[0]?.on("upgrade", () => undefined);
  const client = connect(port, "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
  const [, kept] = (await upgraded) as [unknown, Socket];
  await closeServers(servers, 100);
  expect(kept.destroyed).toBe(false);
  kept.destroy();
  client.destroy();
});

it("accepts no connection before listen is called (threat: a proxy that sends requests to an instance that starts), and reports early why listening would fail", async () => {
  const port = await serve(() => undefined);
  const options = { ...usual, port };
  await expect(requireAddress(options)).rejects.toThrow(`port ${port} is taken`);
  await closeServers(servers, 0);
  let isOver = false;
  const refused = async () => {
    while (!isOver) await expect(send(port)).rejects.toThrow("ECONNREFUSED");
  };
  const knocking = refused();
  for (let times = 0; times < 50; times++) await requireAddress(options);
  isOver = true;
  await knocking;
  const { listen } = dashboardServers(options);
  await expect(send(port)).rejects.toThrow("ECONNREFUSED");
  servers = await listen(handled);
  expect((await send(port)).text).toBe("handled");
});

it("listens on loopback alone where its public address is on this machine (threat: demo passwords on the network)", async () => {
  await serve(handled, { url: new URL("http://localhost:3000") });
  const addresses = servers.map((server) => (server.address() as AddressInfo).address);
  expect(addresses[0]).toBe("127.0.0.1");
  for (const address of addresses) expect(["127.0.0.1", "::1"]).toContain(address);
});

it("listens on the configured address alone (threat: going past the proxy, with a forged address)", async () => {
  await serve(handled, { host: "127.0.0.1" });
  expect(servers.map((server) => (server.address() as AddressInfo).address)).toEqual(["127.0.0.1"]);
  await expect(serve(handled, { host: "192.0.2.77" })).rejects.toThrow(
    "GANCHO_HOST 192.0.2.77 is not an address of this machine",
  );
});

it("reports that it is stopping for a while before it closes, and answers everything else as usual (threat: a rolling update that turns people away)", async () => {
  let finish: () => void = () => undefined;
  const port = await serve((incoming, response) => {
    if (incoming.url !== "/save") return response.end(isStopping() ? "stopping" : "ok");
    const saving = new Promise<void>((resolve) => (finish = resolve));
    void inFlight(saving.then(() => response.end("saved")));
  });
  expect((await send(port)).text).toBe("ok");
  const stopped = stopServing(servers, 1_000);
  const running = send(port, { path: "/save" });
  const probe = await send(port);
  expect(probe.text).toBe("stopping");
  expect((await send(port)).text).toBe("stopping");
  let isOver = false;
  void stopped.then(() => (isOver = true));
  expect(isOver).toBe(false);
  finish();
  expect((await running).text).toBe("saved");
  await stopped;
  await expect(send(port, { agent: new Agent() })).rejects.toThrow("ECONNREFUSED");
});

it("answers once more on a connection that a proxy keeps when the port closes (threat: a change on its way to a closed connection)", async () => {
  const port = await serve();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const connected = once(servers[0] as Server, "connection");
  expect((await send(port, { agent })).headers.connection).toBe("keep-alive");
  const [socket] = (await connected) as [Socket];
  const stopped = stopServing(servers, 1_000);
  expect((await send(port, { agent })).headers.connection).toBe("keep-alive");
  await vi.waitUntil(() => !servers[0]?.listening, { timeout: 5_000 });
  expect(socket.destroyed).toBe(false);
  const last = await send(port, { method: "POST", path: "/api/x", agent });
  expect(last).toMatchObject({ text: "handled", headers: { connection: "close" } });
  await stopped;
  await expect(send(port, { agent })).rejects.toThrow("ECONNREFUSED");
});

it("answers those who have connected when it closes its port (threat: a change that a proxy may not send again)", async () => {
  const port = await serve();
  const sent = Array.from({ length: 20 }, () => send(port, { method: "POST", path: "/api/x" }));
  // Connected, as far as the system is concerned, and not accepted.
  await new Promise((resolve) => process.nextTick(resolve));
  await closeServers(servers, 5_000);
  for (const { text } of await Promise.all(sent)) expect(text).toBe("handled");
});

describe("each request", () => {
  const lines = () => {
    const written: Record<string, unknown>[] = [];
    for (const level of ["info", "debug"] as const)
      vi.spyOn(log, level).mockImplementation((line: unknown) => {
        written.push({ level, ...(line as object) });
      });
    return written;
  };
  afterEach(() => vi.restoreAllMocks());

  it("has an id, one line with its caller and address, and one count, whatever answers it", async () => {
    const written = lines();
    const port = await serve(async (_incoming, response) => {
      await new Promise((resolve) => setImmediate(resolve));
      const note = requestNote();
      if (note) note.userId = "u-1";
      response.writeHead(404).end(currentRequestId());
    });
    const { headers, text: body } = await send(port, { path: "/nowhere?token=hush" });
    expect(headers["x-request-id"]).toBe(body);
    await expect.poll(() => written).toHaveLength(1);
    expect(written[0]).toEqual({
      level: "info",
      requestId: body,
      method: "GET",
      path: "/nowhere",
      status: 404,
      ms: expect.any(Number),
      userId: "u-1",
      clientAddress: "127.0.0.1",
    });
    const { text: metrics } = await renderMetrics();
    expect(metrics).toMatch(
      /gancho_http_requests_total\{method="GET",route="unknown",status="404"\} [1-9]/,
    );
  });

  it("is logged once where its route has logged it", async () => {
    const written = lines();
    const port = await serve((_incoming, response) => {
      const note = requestNote();
      if (note) note.isLogged = true;
      response.end();
    });
    await send(port, { path: "/api/x" });
    await send(port, { path: "/_next/static/a.js" });
    expect(written).toEqual([]);
  });

  it("is logged at debug where the browser sent it by itself, unless it failed", async () => {
    const written = lines();
    let status = 200;
    const port = await serve((_incoming, response) => response.writeHead(status).end());
    await send(port, { path: "/_next/static/a.js" });
    await send(port, { path: "/partners", headers: { "next-router-prefetch": "1" } });
    status = 500;
    await send(port, { path: "/_next/static/a.js" });
    await expect.poll(() => written.map(({ level }) => level)).toEqual(["debug", "debug", "info"]);
  });

  it("is logged, too, where it is refused before any handler", async () => {
    const written = lines();
    const port = await serve();
    await send(port, { path: "/%" });
    await send(port, { path: "/x", method: "DELETE" });
    await expect.poll(() => written.map(({ status }) => status)).toEqual([400, 405]);
  });

  it("has the id that a trusted proxy sends, and never one that a caller sends (threat: log lines under another's id)", async () => {
    const id = async (headers: Record<string, string>, options = {}) => {
      const answer = await send(await serve(handled, options), { headers });
      for (const server of servers) server.close();
      return answer.headers["x-request-id"];
    };
    const reported = { "x-request-id": "0123456789abcdef0123456789abcdef" };
    const trusting = { trustedProxyHops: 1 };
    expect(await id(reported, trusting)).toBe(reported["x-request-id"]);
    expect(await id(reported)).toMatch(/^[0-9a-f]{16}$/);
    for (const wrong of ["short", "with space in it", "x".repeat(65), '{"level":"error"}'])
      expect(await id({ "x-request-id": wrong }, trusting)).toMatch(/^[0-9a-f]{16}$/);
  });
});
