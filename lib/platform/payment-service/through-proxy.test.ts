import net from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startFaultyUpstream, type FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { freePort } from "@/e2e/installation/free-port";
import type { Proxy } from "@/lib/platform/egress/open";
import { startSquid, type Squid } from "@/lib/platform/egress/testing/squid";
import {
  connectionTo,
  credentials,
  desired,
  options,
  testClient,
} from "@/lib/platform/payment-service/testing/harness";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { Secret } from "@/lib/platform/runtime/secret";
import { startSandbox, type Sandbox } from "@/lib/sandbox/start";
import { createTestAuthority } from "@/lib/tools/certificates";

/** A name that only the proxy resolves: nothing reaches the service but through it. */
const name = "payments.invalid";
const { ca, issue } = createTestAuthority();
const basic = (text: string) => new Secret(`Basic ${Buffer.from(text).toString("base64")}`);

let sandbox: Sandbox;
let upstream: FaultyUpstream;
let squid: Squid;
beforeAll(async () => {
  squid = await startSquid({
    names: [name, "refused.invalid"],
    refuses: ["refused.invalid"],
    asksFor: "gancho:open-sesame",
  });
});
afterAll(() => squid.stop());
beforeEach(async () => {
  sandbox = await startSandbox({ clients: [credentials] });
  const certificate = issue({ names: [name, "refused.invalid"] });
  upstream = await startFaultyUpstream({ sandbox: sandbox.url, certificate, keepAlive: true });
  return async () => {
    await upstream.close();
    await sandbox.close();
  };
});

const ours = (): Proxy => ({
  host: "127.0.0.1",
  port: squid.port,
  authorization: basic("gancho:open-sesame"),
});

/** A client whose way to the service is this proxy; it reads once with the good one, so that it has a token. */
async function client(proxy: Proxy | null, host = name) {
  let present: Proxy | null = ours();
  const { api } = testClient({
    ca,
    proxyFor: () => present,
    // Its reading opens a connection each time: a kept one would not meet the proxy.
    limits: { connectMs: 1_000, keptMs: 1, retries: 0 },
  });
  const connection = connectionTo(`https://${name}:${upstream.port}`);
  await api.list(connection, options);
  upstream.setPlan({ rules: [] });
  present = proxy;
  await expect.poll(() => upstream.traffic().open).toBe(0);
  return { api, connection: { ...connection, baseUrl: connection.baseUrl.replace(name, host) } };
}

it("readings share one tunnel, and each write has its own, with TLS to the service itself", async () => {
  const before = squid.asked().length;
  const { api } = testClient({ ca, proxyFor: ours });
  const connection = connectionTo(`https://${name}:${upstream.port}`);
  for (let n = 0; n < 3; n += 1)
    expect(await api.list(connection, options)).toMatchObject({ ok: true });
  const early = api.prepare(connection);
  const registered = await api.register(connection, desired, { ...options, early });
  expect(registered).toMatchObject({ ok: true });
  expect(upstream.counts()).toMatchObject({ token: 1, list: 3, register: 1 });
  expect(upstream.traffic().connections).toBe(2);
  api.forget(connection.id);
  // It writes a line when a tunnel ends.
  await expect.poll(() => squid.asked().slice(before)).toEqual([name, name]);
});

it("does not accept a certificate for another name that the proxy leads to (threat: a proxy that reads)", async () => {
  const { api } = testClient({ ca: createTestAuthority().ca, proxyFor: ours });
  const connection = connectionTo(`https://${name}:${upstream.port}`);
  expect(await api.list(connection, options)).toMatchObject({
    fault: { code: "certificate_untrusted" },
  });
  expect(upstream.received()).toEqual([]);
});

/** A proxy that does this with each connection. */
async function proxyThat(answers: (socket: net.Socket) => unknown): Promise<Proxy> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    answers(socket);
  });
  const port = await listenHere(server);
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return { host: "127.0.0.1", port, authorization: null };
}

describe("through a proxy", () => {
  it.each<[string, string, () => Promise<Proxy> | Proxy, host?: string]>([
    ["is gone", "proxy_failed", async () => ({ ...ours(), port: await freePort() })],
    ["has no name", "proxy_failed", () => ({ ...ours(), host: "proxy.invalid" })],
    ["asks for a password", "proxy_password", () => ({ ...ours(), authorization: null })],
    ["knows another", "proxy_password", () => ({ ...ours(), authorization: basic("gancho:no") })],
    ["refuses the host", "proxy_refused", ours, "refused.invalid"],
    ["does not find the host", "proxy_refused", ours, "nowhere.invalid"],
    ["says nothing", "proxy_failed", () => proxyThat((socket) => socket.resume())],
    [
      "closes",
      "proxy_failed",
      () => proxyThat((socket) => socket.once("data", () => socket.end())),
    ],
    [
      "speaks something else",
      "proxy_failed",
      () => proxyThat((socket) => socket.end("SSH-2.0\r\n")),
    ],
    [
      "closes the tunnel",
      "connection_failed",
      () => proxyThat((socket) => socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\n"))),
    ],
  ])(
    "that %s, a call is %s, and a write is known not to be sent",
    async (_how, code, proxy, host) => {
      const { api, connection } = await client(await proxy(), host);
      const fault = { code, applied: "no" };
      expect(await api.list(connection, options)).toMatchObject({ ok: false, fault });
      const early = api.prepare(connection);
      let isSent = false;
      const onSend = () => (isSent = true);
      expect(
        await api.register(connection, desired, { ...options, early, onSend: () => void onSend() }),
      ).toMatchObject({ ok: false, fault });
      expect(isSent).toBe(false);
      expect(upstream.received()).toEqual([]);
    },
  );
});
