import { peopleEntries } from "@/lib/history/testing/people-entries";
import { Browser } from "@/lib/platform/auth/testing/at-provider";
import { logoutClaims, sendLogout as send } from "@/lib/platform/auth/testing/log-out-by-provider";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { findSession, startSession, whySessionEnded } from "@/lib/platform/auth/sessions/sessions";
import { addressToLeave } from "@/lib/platform/auth/sessions/leave-provider";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { Secret } from "@/lib/platform/runtime/secret";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";

const at = vi.hoisted(() => ({ browser: null as Browser | null }));
vi.mock("next/headers", () => ({
  cookies: () => at.browser?.headers.cookies(),
  headers: () => at.browser?.headers.headers(),
}));

// The session that the browser's cookie names; elsewhere `signInAs` decides.
vi.mock("@/lib/platform/auth/sessions/read-session", async (original) => original());

let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
beforeAll(async () => {
  await configure();
  provider = await startOpenIdProvider("http://localhost:3000/api/auth/callback/oidc");
});
afterAll(() => provider.stop());

let subject: string;
let userId: string;
beforeEach(async () => {
  const { issuer, clientId } = provider;
  signInAt({ ...aProvider, issuer, clientId, clientSecret: new Secret(provider.clientSecret) });
  subject = randomUUID();
  userId = await insertUser(db(), { name: "Rui Prado", password_hash: null });
  await insert("identities", { issuer, subject, user_id: userId });
});

/** Signs the person in by a browser of their own; what the provider calls the session. */
async function signIn() {
  const browser = new Browser();
  at.browser = browser;
  const claims = { sub: subject, email: `${subject}@aurora.example`, email_verified: true };
  expect(await browser.comeBack(await browser.answer(await browser.begin(), claims))).toBe("/");
  const id = browser.cookies.get("gancho.session") ?? "";
  return { browser, id };
}

const isOpen = async (id: string) => (await findSession(db(), id)) !== null;
const now = () => Math.floor(Date.now() / 1_000);

const tokenOf = (more: Record<string, unknown> = {}) =>
  logoutClaims(provider, { sub: subject, ...more });

const logOut = async (more?: Record<string, unknown>) => send(await provider.signed(tokenOf(more)));

it("ends what a person began at the provider, says why, and leaves one entry and the sessions of others", async () => {
  const { id } = await signIn();
  const own = await startSession(db(), userId, { clientAddress: null, userAgent: null });
  expect(await logOut({ sub: randomUUID() })).toBe(200);
  expect(await isOpen(id)).toBe(true);
  expect(await logOut()).toBe(200);
  expect(await isOpen(id)).toBe(false);
  expect(await whySessionEnded(db(), id)).toBe("left_provider");
  expect(await isOpen(own)).toBe(true);
  const left = async () =>
    (await peopleEntries(db())).filter(({ kind, who }) => kind === "signed_out" && who === userId);
  expect(await left()).toMatchObject([{ outcome: "at_provider" }]);
  expect(await logOut()).toBe(200);
  expect(await left()).toHaveLength(1);
});

it("ends those of one session at the provider, where it names that", async () => {
  const [one, other] = [await signIn(), await signIn()];
  const leave = await addressToLeave(db(), one.id, "http://localhost:3000");
  const { sid } = payloadOf(leave?.searchParams.get("id_token_hint") ?? null);
  expect(await logOut({ sid, sub: undefined })).toBe(200);
  expect([await isOpen(one.id), await isOpen(other.id)]).toEqual([false, true]);
});

it("takes each statement once (threat: one that was kept ends the sessions since)", async () => {
  await signIn();
  const token = await provider.signed(tokenOf());
  expect(await send(token)).toBe(200);
  const { id } = await signIn();
  expect(await send(token)).toBe(400);
  expect(await isOpen(id)).toBe(true);
});

it.each<[string, () => Promise<string> | string]>([
  ["is signed with another key", async () => forged()],
  ["is not signed", () => new UnsecuredJWT(tokenOf()).encode()],
  ["is signed with what both know", async () => signedWithSecret()],
  ["is old", () => provider.signed(tokenOf({ iat: now() - 600, exp: now() + 600 }))],
  ["has expired", () => provider.signed(tokenOf({ iat: now() - 200, exp: now() - 100 }))],
  ["says not when it was made", () => provider.signed(tokenOf({ iat: undefined }))],
  ["is another provider's", () => provider.signed(tokenOf({ iss: "https://other.example" }))],
  ["is for another client", () => provider.signed(tokenOf({ aud: "another" }))],
  ["is about something else", () => provider.signed(tokenOf({ events: { "urn:other": {} } }))],
  ["is an ID token", () => provider.signed(tokenOf({ events: undefined, nonce: "n" }))],
  ["has a nonce", () => provider.signed(tokenOf({ nonce: "n" }))],
  ["is about nobody", () => provider.signed(tokenOf({ sub: undefined }))],
  ["cannot be told from its copy", () => provider.signed(tokenOf({ jti: undefined }))],
  ["is none", () => "nonsense"],
  ["is left out", () => ""],
])(
  "refuses a statement that %s, and ends nothing (threat: anybody who signs people out)",
  async (_what, make) => {
    const { id } = await signIn();
    expect(await send(await make())).toBe(400);
    expect(await isOpen(id)).toBe(true);
  },
);

async function forged(): Promise<string> {
  const { privateKey } = await generateKeyPair("RS256");
  return new SignJWT(tokenOf()).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
}

async function signedWithSecret(): Promise<string> {
  const key = new TextEncoder().encode(provider.clientSecret);
  return new SignJWT(tokenOf()).setProtectedHeader({ alg: "HS256" }).sign(key);
}

it("asks for another try where the provider's keys cannot be read", async () => {
  signInAt({ ...aProvider, issuer: "http://127.0.0.1:9" });
  expect(await logOut({ iss: "http://127.0.0.1:9" })).toBe(503);
});

it("reads a failing provider once, however many statements come, and not at all for what is none of its (threat: requests to it by strangers)", async () => {
  let asked = 0;
  const failing = createServer((_request, answer) => {
    asked += 1;
    answer.writeHead(500).end();
  });
  const issuer = `http://127.0.0.1:${await listenHere(failing)}`;
  signInAt({ ...aProvider, issuer });
  const sent = (token: string) => Promise.all(Array.from({ length: 30 }, () => send(token)));
  expect(new Set(await sent("nonsense"))).toEqual(new Set([400]));
  expect(new Set(await sent(new UnsecuredJWT(tokenOf()).encode()))).toEqual(new Set([400]));
  expect(asked).toBe(0);
  const claimed = new UnsecuredJWT(tokenOf({ iss: issuer })).encode();
  expect(new Set(await sent(claimed))).toEqual(new Set([503]));
  expect(asked).toBe(1);
});

it("leads to the provider on signing out here, and back; the session's row alone does not say who it was", async () => {
  const { browser, id } = await signIn();
  const row = await db()
    .selectFrom("sessions")
    .select("leave_provider")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  expect(Buffer.from(row.leave_provider ?? "", "base64url").toString()).not.toContain(subject);
  const next = await browser.signOut();
  expect(next.origin).toBe(provider.issuer);
  expect(next.searchParams.get("post_logout_redirect_uri")).toBe("http://localhost:3000/sign-in");
  expect(next.searchParams.get("client_id")).toBe(provider.clientId);
  expect(payloadOf(next.searchParams.get("id_token_hint"))).toMatchObject({ sub: subject });
  expect(await isOpen(id)).toBe(false);
});

const payloadOf = (token: string | null): Record<string, unknown> =>
  JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString()) as Record<
    string,
    unknown
  >;
