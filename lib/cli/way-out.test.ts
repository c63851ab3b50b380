import { startAlertReceiver } from "@/lib/alerts/testing/alert-receiver";
import { fromSource } from "@/lib/cli/programs.mjs";
import { newKeys } from "@/lib/platform/database/testing/configure";
import { newFile } from "@/lib/platform/database/testing/new-database";
import { startSquid, type Squid } from "@/lib/platform/egress/testing/squid";
import { credentials } from "@/lib/platform/payment-service/testing/harness";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { startSandbox } from "@/lib/sandbox/start";
import { createTestAuthority } from "@/lib/tools/certificates";
import { startMailServer } from "@/lib/tools/mail-server";
import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

/** Names that the proxy alone resolves. */
const names = ["payments", "mail", "alerts", "id", "hooks"].map((name) => `${name}.invalid`);
const authority = createTestAuthority();
const certificate = authority.issue({ names });
const closing: (() => unknown)[] = [];

/** TLS in front of a server of this machine. */
async function withTls(port: number): Promise<number> {
  const server = tls.createServer(certificate, (socket) => {
    const inner = net.connect({ host: "127.0.0.1", port });
    for (const end of [socket, inner]) end.on("error", () => undefined);
    socket.pipe(inner).pipe(socket);
  });
  return listenHere(server);
}

const portOf = (url: string) => Number(new URL(url).port);

/** Whether a process may have a network of its own, in which nothing is reached. */
const hasNamespaces =
  process.platform === "linux" &&
  spawnSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"]).status === 0;

let squid: Squid;
let socketFile: string;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let alerts: Awaited<ReturnType<typeof startAlertReceiver>>;
let posted: number;
let set: Record<string, string>;

beforeAll(async () => {
  squid = await startSquid({ names, asksFor: "gancho:open-sesame" });
  socketFile = path.join(newFolder(), "proxy");
  const gate = net.createServer((socket) => {
    const proxy = net.connect({ host: "127.0.0.1", port: squid.port });
    for (const end of [socket, proxy]) end.on("error", () => undefined);
    socket.pipe(proxy).pipe(socket);
  });
  await once(gate.listen(socketFile).unref(), "listening");
  const sandbox = await startSandbox({ clients: [credentials] });
  mail = await startMailServer();
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  alerts = await startAlertReceiver(secret);
  const hooks = http.createServer((_request, response) => {
    posted += 1;
    response.writeHead(204).end();
  });
  const provider = http.createServer((_request, response) => {
    const endpoints = ["authorization_endpoint", "token_endpoint", "jwks_uri"];
    const known = Object.fromEntries(endpoints.map((name) => [name, `${issuer}/${name}`]));
    response.end(JSON.stringify({ issuer, ...known }));
  });
  const issuer = `https://id.invalid:${await withTls(await listenHere(provider))}`;
  const ca = path.join(newFolder(), "ca.pem");
  writeFileSync(ca, authority.ca);
  set = {
    ...newKeys(),
    PATH: process.env["PATH"] ?? "",
    LOG_LEVEL: "silent",
    NODE_EXTRA_CA_CERTS: ca,
    GANCHO_URL: "https://gancho.example",
    PARTNER_API_ENVIRONMENTS: `production=https://payments.invalid:${await withTls(portOf(sandbox.url))}`,
    SMTP_URL: `smtps://mail.invalid:${await withTls(portOf(mail.url))}`,
    MAIL_FROM: "gancho@example.com",
    ALERTS_URL: `https://alerts.invalid:${await withTls(portOf(alerts.url))}/`,
    ALERTS_SECRET: secret,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: "gancho",
    OIDC_CLIENT_SECRET: "secret",
    ENDPOINT: `https://hooks.invalid:${await withTls(await listenHere(hooks))}/pix`,
    CLIENT: `${credentials.client_id} ${credentials.client_secret}`,
  };
  closing.push(squid.stop, mail.close, alerts.close, sandbox.close);
});
afterAll(() => Promise.all(closing.map((close) => close())));

/** What came of each call, in a process whose only way out is the proxy, where this machine can make one. */
async function callFrom(proxy: string) {
  posted = 0;
  mail.mails.length = 0;
  alerts.received.length = 0;
  const env = { ...set, DATABASE_URL: `file:${newFile(inject("folder"))}`, OUTBOUND_PROXY: proxy };
  const program = [process.execPath, ...fromSource("lib/cli/testing/way-out-program.ts")];
  const inNamespace = ["-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...program];
  const [command = "", ...args] = hasNamespaces ? ["unshare", ...inNamespace] : program;
  const { stdout } = await promisify(execFile)(command, args, {
    env: { ...env, NODE_ENV: "test", ...(hasNamespaces && { WAY_OUT: socketFile }) },
  });
  const { interfaces, checkConfig, ...calls } = JSON.parse(stdout) as {
    interfaces: string[];
    checkConfig: { status: string; subject: string; message: string }[];
  };
  if (hasNamespaces) expect(interfaces).toEqual(["lo"]);
  const checks = checkConfig.map(
    ({ status, subject, message }) => `${status} ${subject}: ${message}`,
  );
  return { calls, checks };
}

it("every call leaves through the proxy, where that is the only way out", async () => {
  const before = squid.asked().length;
  const { calls, checks } = await callFrom(squid.url);
  expect(calls).toEqual({
    reading: "ok",
    save: "ok",
    endpointCheck: 204,
    mail: "ok",
    alert: "sent",
    singleSignOn: "ok",
  });
  expect([posted, mail.mails.length, alerts.received.length]).toEqual([1, 1, 1]);
  expect(checks.filter((line) => !line.startsWith("ok"))).toEqual([
    expect.stringContaining("note endpoint checks: leave through OUTBOUND_PROXY"),
    "note proxy of endpoint checks: is not set up",
  ]);
  await expect.poll(() => new Set(squid.asked().slice(before))).toEqual(new Set(names));
}, 60_000);

it("a proxy that asks for a password is named by each call, and by check-config", async () => {
  const { calls, checks } = await callFrom(squid.url.replace("open-sesame", "wrong"));
  expect(calls).toEqual({
    reading: "proxy_password, applied: no",
    save: "proxy_password, applied: no",
    endpointCheck: "proxy_failed",
    mail: "PROXY_PASSWORD",
    alert: "PROXY_PASSWORD",
    singleSignOn: "PROXY_PASSWORD",
  });
  expect([posted, mail.mails.length, alerts.received.length]).toEqual([0, 0, 0]);
  const named = checks.filter((line) => line.includes("OUTBOUND_PROXY asks for another user name"));
  expect(named.map((line) => line.split(":")[0])).toEqual([
    "fails payment service production",
    "fails single sign-on",
    "fails mail",
    "fails alerts webhook",
  ]);
}, 60_000);
