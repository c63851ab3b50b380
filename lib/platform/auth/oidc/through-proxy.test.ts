import { freePort } from "@/e2e/installation/free-port";
import { Browser } from "@/lib/platform/auth/testing/at-provider";
import { logOutBy } from "@/lib/platform/auth/testing/log-out-by-provider";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import type { Proxy } from "@/lib/platform/egress/open";
import { startSquid, type Squid } from "@/lib/platform/egress/testing/squid";
import { env } from "@/lib/platform/env/env";
import { Secret } from "@/lib/platform/runtime/secret";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { createTestAuthority } from "@/lib/tools/certificates";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { randomUUID } from "node:crypto";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import { Agent, fetch } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";

const at = vi.hoisted(() => ({ browser: null as Browser | null }));
vi.mock("next/headers", () => ({
  cookies: () => at.browser?.headers.cookies(),
  headers: () => at.browser?.headers.headers(),
}));

// The session that the browser's cookie names; elsewhere `signInAs` decides.
vi.mock("@/lib/platform/auth/sessions/read-session", async (original) => original());

/** A name that the proxy alone resolves: nothing here reaches the provider but through it. */
const name = "id.invalid";
const { ca, issue } = createTestAuthority();
const people = new Agent({
  connect: {
    ca,
    lookup: (_host, _options, found) => found(null, [{ address: "127.0.0.1", family: 4 }]),
  },
});

let squid: Squid;
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
beforeAll(async () => {
  await configure();
  squid = await startSquid({ names: [name], asksFor: "gancho:open-sesame" });
  const certificate = issue({ names: [name] });
  provider = await startOpenIdProvider("http://localhost:3000/api/auth/callback/oidc", {
    tls: { name, certificate },
  });
  // As NODE_EXTRA_CA_CERTS has it.
  const connect = tls.connect.bind(tls);
  vi.spyOn(tls, "connect").mockImplementation(((options: tls.ConnectionOptions) =>
    connect({ ca, ...options })) as typeof tls.connect);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await provider.stop();
  await squid.stop();
});

let browser: Browser;
let claims: { sub: string; email: string; email_verified: boolean };
beforeEach(async () => {
  const { issuer, clientId } = provider;
  signInAt({ ...aProvider, issuer, clientId, clientSecret: new Secret(provider.clientSecret) });
  leaveThrough(squidAs("gancho:open-sesame"));
  browser = new Browser(((to, init) =>
    fetch(String(to), { ...(init as object), dispatcher: people })) as typeof globalThis.fetch);
  at.browser = browser;
  const sub = randomUUID();
  claims = { sub, email: `${sub}@aurora.example`, email_verified: true };
  const userId = await insertUser(db(), { email: claims.email });
  await insert("identities", { issuer, subject: sub, user_id: userId });
});
afterEach(() => leaveThrough(null));

function leaveThrough(outboundProxy: Proxy | null): void {
  Object.assign(env(), { outboundProxy });
}

const squidAs = (user: string): Proxy => ({
  host: "127.0.0.1",
  port: squid.port,
  authorization: new Secret(`Basic ${Buffer.from(user).toString("base64")}`),
});

/** A proxy that takes connections and says nothing. */
async function silent(): Promise<Proxy> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => void sockets.add(socket.on("error", () => {})));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  return { host: "127.0.0.1", port: await listenHere(server), authorization: null };
}

async function refusing(): Promise<Proxy> {
  const other = await startSquid({ names: [name], refuses: [name] });
  onTestFinished(() => other.stop());
  return { host: "127.0.0.1", port: other.port, authorization: null };
}

async function signIn(): Promise<void> {
  expect(await browser.comeBack(await browser.answer(await browser.begin(), claims))).toBe("/");
}

it("leaves through the proxy with every call: to sign in, to confirm and to verify that somebody signed out", async () => {
  const before = squid.asked().length;
  const asked = () => squid.asked().slice(before);
  await signIn();
  // The metadata, twice; the token; the keys; what the ID token leaves out.
  await expect.poll(asked).toEqual(Array(5).fill(name));
  const confirmed = await browser.answer(await browser.begin({ stepUp: true }), claims);
  expect(await browser.comeBack(confirmed)).toBe("/confirm-identity?done=given");
  await expect.poll(asked).toEqual(Array(10).fill(name));
  expect(await logOutBy(provider, { sub: claims.sub })).toBe(200);
  await expect.poll(() => asked().length).toBeGreaterThan(10);
  expect(new Set(asked())).toEqual(new Set([name]));
});

const ways = [
  ["signing in", {}, "/sign-in"],
  ["the step-up", { stepUp: true }, "/confirm-identity"],
] as const;

it.each<[string, string, () => Proxy | Promise<Proxy>]>([
  ["is gone", "proxy_failed", async () => ({ ...squidAs("x"), port: await freePort() })],
  ["says nothing", "proxy_failed", silent],
  ["refuses the provider's name", "proxy_refused", refusing],
  ["asks for another password", "proxy_password", () => squidAs("gancho:another")],
])(
  "says of a proxy that %s what it is, as anything begins and as it ends, and counts it against nobody",
  async (_what, code, proxy) => {
    const entries = () => db().selectFrom("history").select("seq").execute();
    await signIn();
    const bad = await proxy();
    const answers: URL[] = [];
    for (const [, fields] of ways)
      answers.push(await browser.answer(await browser.begin(fields), claims));
    const before = await entries();
    leaveThrough(bad);
    await Promise.all(
      ways.map(async ([what, fields, page], way) => {
        const failed = `${page}?error=sso-${code}`;
        const begun = await browser.begin(fields);
        expect(begun.pathname + begun.search, what).toBe(failed);
        expect(await browser.comeBack(answers[way] ?? begun), what).toBe(failed);
      }),
    );
    expect(await entries()).toEqual(before);
  },
);

it("does not wait for a provider that begins to answer and does not end", async () => {
  await signIn();
  const slow = https.createServer(issue({ names: [name] }), (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
    const drip = setInterval(() => response.write(" "), 500);
    response.on("close", () => clearInterval(drip));
  });
  onTestFinished(() => slow.closeAllConnections());
  signInAt({ ...aProvider, issuer: `https://${name}:${await listenHere(slow)}` });
  await Promise.all(
    ways.map(async ([what, fields, page]) => {
      const begun = await browser.begin(fields);
      expect(begun.pathname + begun.search, what).toBe(`${page}?error=sso-no_answer`);
    }),
  );
  expect(await logOutBy({ ...provider, issuer: env().oidc?.issuer ?? "" }, claims)).toBe(503);
});
