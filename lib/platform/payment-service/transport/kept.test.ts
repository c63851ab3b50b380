import http from "node:http";
import type net from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import tls from "node:tls";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import {
  connectionTo,
  desired,
  inServices,
  options,
  sandbox,
  testClient,
} from "@/lib/platform/payment-service/testing/harness";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { createTestAuthority } from "@/lib/tools/certificates";

const { ca, issue } = createTestAuthority();
const certificate = issue({ names: ["localhost"] });
const schemes = ["http", "https"] as const;

inServices();

/** A service that keeps connections, in front of the sandbox. */
async function keeping(scheme: (typeof schemes)[number] = "http", limits: object = {}) {
  const upstream = await startFaultyUpstream({
    sandbox: sandbox.url,
    keepAlive: true,
    ...(scheme === "https" && { certificate }),
  });
  onTestFinished(() => upstream.close());
  const { api } = testClient({ ca, limits });
  /** The kind of each request, with a number for its connection. */
  const sent = () => {
    const ports = [...new Set(upstream.received().map(({ from }) => from))];
    return upstream.received().map(({ kind, from }) => `${kind} ${ports.indexOf(from)}`);
  };
  return { upstream, api, sent, connection: connectionTo(upstream.url) };
}

describe.each(schemes)("over %s", (scheme) => {
  it("a partner's tokens and readings share one connection, and each write has its own", async () => {
    const { api, sent, connection } = await keeping(scheme);
    for (let n = 0; n < 3; n += 1) await api.list(connection, options);
    expect(await api.register(connection, desired, options)).toMatchObject({ ok: true });
    expect(await api.register(connection, desired, options)).toMatchObject({ ok: true });
    expect(await api.list(connection, { ...options, ofSave: true })).toMatchObject({ ok: true });
    const lists = ["list 0", "list 0", "list 0"];
    expect(sent()).toEqual(["token 0", ...lists, "register 1", "register 2", "list 0"]);
  });

  it("a write goes over the connection that was opened ahead, and the next one over its own", async () => {
    const { api, sent, upstream, connection } = await keeping(scheme);
    await api.list(connection, options);
    const early = api.prepare(connection);
    await expect.poll(() => upstream.traffic().connections).toBe(2);
    await api.list(connection, options);
    for (let n = 0; n < 2; n += 1)
      expect(await api.register(connection, desired, { ...options, early })).toMatchObject({
        ok: true,
      });
    early?.close();
    expect(sent()).toEqual(["token 0", "list 0", "list 0", "register 1", "register 2"]);
    expect(upstream.traffic().connections).toBe(3);
  });
});

describe("a kept connection", () => {
  it("is not waited for: a save's look takes its own while a reading hangs", async () => {
    const { api, sent, upstream, connection } = await keeping();
    await api.list(connection, options);
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { held: true } }] });
    const hung = api.list(connection, options);
    await expect.poll(() => upstream.counts().list).toBe(1);
    expect(await api.list(connection, { ...options, ofSave: true })).toMatchObject({ ok: true });
    expect(await api.register(connection, desired, options)).toMatchObject({ ok: true });
    expect(sent()).toEqual(["list 0", "list 1", "register 2"]);
    upstream.release();
    expect(await hung).toMatchObject({ ok: true });
  });

  it("is another one for each partner, and after other credentials (threat: one's answer read as another's)", async () => {
    const { api, sent, connection } = await keeping();
    const other = { ...connection, id: "b" };
    const newer = { ...connection, version: 2 };
    for (const each of [connection, other, connection, newer]) await api.list(each, options);
    expect(sent()).toEqual([
      "token 0",
      "list 0",
      "token 1",
      "list 1",
      "list 0",
      "token 2",
      "list 2",
    ]);
  });

  it("is closed when the connection is forgotten, also by a reading that is in flight", async () => {
    const { api, upstream, connection } = await keeping();
    await api.list(connection, options);
    expect(upstream.traffic().open).toBe(1);
    api.forget(connection.id);
    await expect.poll(() => upstream.traffic().open).toBe(0);
    upstream.setPlan({ rules: [{ kind: "list", times: 1, action: { held: true } }] });
    const reading = api.list(connection, options);
    await expect.poll(() => upstream.counts().list).toBe(1);
    api.forget(connection.id);
    upstream.release();
    expect(await reading).toMatchObject({ ok: true });
    await expect.poll(() => upstream.traffic().open).toBe(0);
  });

  it("is closed when it is idle, and there are no more than so many", async () => {
    const { api, upstream, connection } = await keeping("http", {
      keptMs: 300,
      keptConnections: 2,
    });
    for (const id of ["a", "b", "c"]) await api.list({ ...connection, id }, options);
    await expect.poll(() => upstream.traffic().open).toBe(2);
    await expect.poll(() => upstream.traffic().open).toBe(0);
    expect(await api.list({ ...connection, id: "c" }, options)).toMatchObject({ ok: true });
  });

  it("is not made by the background's readings, nor by a check of credentials", async () => {
    const { api, sent, upstream, connection } = await keeping();
    for (let n = 0; n < 2; n += 1) await api.list(connection, { ...options, background: true });
    await api.check(connection, options);
    expect(sent()).toEqual(["token 0", "list 1", "list 2", "token 3"]);
    await expect.poll(() => upstream.traffic().open).toBe(0);
  });
});

const servers: http.Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
});

type Asked = { socket: net.Socket; kind: "token" | "list" | "register"; number: number };

const whole = (body: string, more = "") =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`;
const tokenBody = '{"access_token":"t","token_type":"Bearer","expires_in":1800}';
const listBody = (path: string) =>
  `{"webhooks":[{"type":"pix_in","callback_url":"https://x.example/${path}","events":[]}]}`;

/** A service that answers with these bytes, however wrong. `number` counts the lists, from 1. */
async function scripted(answer: (asked: Asked) => unknown) {
  let lists = 0;
  const asked: { kind: Asked["kind"]; from: number | undefined }[] = [];
  const app = http.createServer((request) => {
    const { socket, method, url } = request;
    const kind = url?.includes("token") ? "token" : method === "GET" ? "list" : "register";
    request.resume();
    request.once("end", () => {
      if (kind === "list") lists += 1;
      asked.push({ kind, from: socket.remotePort });
      if (kind === "token") socket.write(whole(tokenBody));
      else void answer({ socket, kind, number: lists });
    });
  });
  app.on("clientError", () => undefined);
  const server = tls.createServer(certificate, (socket) => app.emit("connection", socket));
  server.on("tlsClientError", () => undefined);
  let connections = 0;
  server.on("connection", () => (connections += 1));
  servers.push(app);
  const port = await listenHere(server);
  const { api, lines } = testClient({ ca, limits: { retries: 0 } });
  const connection = connectionTo(`https://localhost:${port}`);
  /** The path of the webhook that a reading shows, or its fault. */
  const read = async () => {
    const listed = await api.list(connection, options);
    return listed.ok ? listed.webhooks[0]?.callbackUrl.split("/").at(-1) : listed.fault.code;
  };
  return { api, lines, connection, read, asked, connections: () => connections };
}

describe("a service that closes a kept connection", () => {
  it.each<[string, (socket: net.Socket) => void]>([
    ["with the answer, unannounced", (socket) => socket.end()],
    ["a moment later", (socket) => void setTimeout(() => socket.end(), 20)],
    ["with a reset", (socket) => void setTimeout(() => socket.destroy(), 20)],
  ])("%s, has the next reading on another", async (_when, close) => {
    let closed = 0;
    const { read, connections } = await scripted(({ socket, number }) => {
      socket.write(whole(listBody(String(number))));
      socket.once("close", () => (closed += 1));
      close(socket);
    });
    expect(await read()).toBe("1");
    await expect.poll(() => closed).toBe(1);
    expect([await read(), connections()]).toEqual(["2", 2]);
  });

  it("when it gets the next request, is asked once more on another connection", async () => {
    const { read, asked } = await scripted(({ socket, number }) => {
      if (number === 2) socket.destroy();
      else socket.write(whole(listBody(String(number))));
    });
    expect([await read(), await read()]).toEqual(["1", "3"]);
    const [, first, second, third] = asked;
    expect(second?.from).toBe(first?.from);
    expect(third?.from).not.toBe(first?.from);
  });

  it("each time is asked no more than that", async () => {
    const { read, asked } = await scripted(({ socket, number }) => {
      if (number === 1) socket.write(whole(listBody("1")));
      else socket.destroy();
    });
    expect([await read(), await read()]).toEqual(["1", "connection_failed"]);
    expect(asked.filter(({ kind }) => kind === "list")).toHaveLength(3);
  });

  it("within an answer, is not asked again for it", async () => {
    const { read, asked } = await scripted(({ socket, number }) => {
      if (number === 1) socket.write(whole(listBody("1")));
      else socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9");
    });
    expect([await read(), await read()]).toEqual(["1", "connection_failed"]);
    expect(asked.filter(({ kind }) => kind === "list")).toHaveLength(2);
  });
});

describe("a service that answers twice (threat: an old answer read as a new one)", () => {
  it("at once, is not believed", async () => {
    const { read } = await scripted(({ socket, number }) =>
      socket.write(whole(listBody(String(number))).repeat(number === 1 ? 2 : 1)),
    );
    expect([await read(), await read()]).toEqual(["bad_response", "2"]);
  });

  it("between two requests, has the next one on another connection", async () => {
    let closed = 0;
    const { read, connections } = await scripted(async ({ socket, number }) => {
      socket.write(whole(listBody(String(number))));
      socket.once("close", () => (closed += 1));
      await pause(20);
      socket.write(whole(listBody("old")));
    });
    expect(await read()).toBe("1");
    await expect.poll(() => closed).toBe(1);
    expect([await read(), connections()]).toEqual(["2", 2]);
  });

  it("with the next answer right behind, is not believed", async () => {
    const { read } = await scripted(({ socket, number }) =>
      socket.write((number === 2 ? whole(listBody("old")) : "") + whole(listBody(String(number)))),
    );
    expect([await read(), await read(), await read()]).toEqual(["1", "bad_response", "3"]);
  });

  it("with the answer to something else, is not believed", async () => {
    const { read } = await scripted(({ socket, number }) =>
      socket.write(whole(number === 2 ? tokenBody : listBody(String(number)))),
    );
    expect([await read(), await read(), await read()]).toEqual(["1", "bad_response", "3"]);
  });
});

describe("a connection that was opened ahead of a write", () => {
  it.each<[string, (socket: net.Socket) => void]>([
    ["closed it", (socket) => socket.end()],
    ["reset it", (socket) => socket.destroy()],
    ["answered before it was asked", (socket) => socket.write(whole('{"message":"early"}'))],
  ])("is not used where the service %s", async (_what, spoil) => {
    const { api, connection, read, asked, connections } = await scripted(({ socket, kind }) =>
      socket.write(
        kind === "list" ? whole(listBody("1")) : "HTTP/1.1 400 No\r\ncontent-length: 0\r\n\r\n",
      ),
    );
    await read();
    servers.at(-1)?.once("connection", (socket: tls.TLSSocket) => {
      socket.on("error", () => undefined);
      spoil(socket);
    });
    const early = api.prepare(connection);
    await expect.poll(connections).toBe(2);
    await pause(20);
    const registered = await api.register(connection, desired, { ...options, early });
    expect(registered).toMatchObject({ ok: false, fault: { upstreamStatus: 400 } });
    expect([asked.filter(({ kind }) => kind === "register").length, connections()]).toEqual([1, 3]);
  });

  it("is closed where no write follows, also while it is being opened", async () => {
    const { api, upstream, connection } = await keeping("https");
    for (const wait of [0, 50]) {
      const early = api.prepare(connection);
      await pause(wait);
      early?.close();
      await expect.poll(() => upstream.traffic().open).toBe(0);
    }
    expect(upstream.received()).toEqual([]);
  });

  it("that cannot be opened leaves the write to open its own, and to say what failed", async () => {
    const { api, upstream, connection } = await keeping();
    await api.list(connection, options);
    await upstream.close();
    const early = api.prepare(connection);
    expect(await api.register(connection, desired, { ...options, early })).toMatchObject({
      fault: { code: "connection_refused", applied: "no", during: "register" },
    });
  });

  it("is opened for a bounded number of saves, and then not ahead", async () => {
    const { api, connection } = await keeping("http", { reservedForSaves: 1 });
    const first = api.prepare(connection);
    expect(api.prepare(connection)).toBeNull();
    first?.close();
    const second = api.prepare(connection);
    expect(second).not.toBeNull();
    second?.close();
  });
});
