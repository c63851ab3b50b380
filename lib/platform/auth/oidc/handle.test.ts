import { configure } from "@/lib/platform/database/testing/configure";
import { db } from "@/lib/platform/database/open";
import { DatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { env, type SingleSignOnSettings } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { Secret } from "@/lib/platform/runtime/secret";
import { encode } from "next-auth/jwt";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { consume } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { finishSingleSignOn, sendToProvider } from "./handle";

const cookies = vi.hoisted(() => new Map<string, string>());
const leads = vi.hoisted(() => ({ to: "" }));
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => (cookies.has(name) ? { name, value: cookies.get(name) } : undefined),
    getAll: () => [...cookies].map(([name, value]) => ({ name, value })),
  }),
  headers: async () => new Headers(),
}));
// Calls no provider: these tests are not about the outcome of an attempt.
vi.mock("./next-auth", () => ({
  askProvider: async () => ({ to: leads.to, cookies: [] }),
  exchange: async () => {},
}));

const config: SingleSignOnSettings = {
  issuer: "https://id.example",
  clientId: "gancho",
  clientSecret: new Secret("secret"),
  name: "Example ID",
  staff: null,
  partners: null,
  isOnlyWay: false,
};

beforeAll(() => configure({ GANCHO_URL: "https://gancho.example" }));
beforeEach(async () => {
  cookies.clear();
  await db().deleteFrom("rate_limits").execute();
});

const office = "192.0.2.7";

/** Where the callback leads a browser of the office that has what `cookies` has, and which cookies it takes. */
async function comeBack(query: string): Promise<string> {
  return (await answerTo(query)).leads;
}

async function answerTo(query: string) {
  const request = new Request(`https://gancho.example/api/auth/callback/oidc?${query}`, {
    headers: { "x-gancho-client-address": office },
  });
  const answer = await finishSingleSignOn(config, { request, requestId: "q1" });
  const leads = new URL(answer.headers.get("location") ?? "").search;
  return { leads, cookies: answer.headers.getSetCookie() };
}

const attemptId = "a1b2c3d4e5f6";
const asked = `${attemptId}.asked`;
const stateCookie = `__Host-gancho.state.${attemptId}`;

/** As next-auth keeps it in the browser that it sends to the provider. */
async function keepState(salt = stateCookie): Promise<void> {
  const token = { value: "asked", provider: "oidc" };
  const secret = env().authSecret.reveal();
  cookies.set(stateCookie, await encode({ token, salt, secret, maxAge: 900 }));
}

async function written() {
  const counts = db().selectFrom("rate_limits").select("attempts");
  const entries = db().selectFrom("history").select("seq");
  return { counts: await counts.execute(), entries: (await entries.execute()).length };
}

it("redirects back with the reason, instead of failing, where the database is unavailable", async () => {
  await keepState();
  vi.spyOn(db(), "deleteFrom").mockImplementationOnce(() => {
    throw new DatabaseUnavailable("no_answer", "no answer in time");
  });
  expect(await comeBack(`code=c&state=${asked}`)).toBe("?error=database_unavailable");
});

it("neither counts nor records answers that this browser did not request (threat: a website that blocks a network by requesting images)", async () => {
  const before = await written();
  for (let n = 0; n < 40; n++) {
    cookies.clear();
    expect(await comeBack(`code=c${n}&state=s${n}`)).toBe("?error=sso-failed");
    expect(await comeBack("code=c")).toBe("?error=sso-failed");
    expect(await comeBack("error=access_denied")).toBe("?error=sso-failed");
    await keepState();
    expect(await comeBack(`code=c&state=s${n}`)).toBe("?error=sso-failed");
    expect(await comeBack("code=c&state=")).toBe("?error=sso-failed");
  }
  expect(await written()).toEqual({ counts: [], entries: before.entries });
  expect(await consume(db(), { email: null, clientAddress: office })).toEqual({ allowed: true });
});

it("leaves an attempt as it is when an answer arrives that is not its own (threat: a website that ends a person's sign-in)", async () => {
  await keepState();
  for (const state of ["", "another", `${attemptId}.another`, "ffffffffffff.asked"])
    expect(await answerTo(`error=access_denied&state=${state}`)).toEqual({
      leads: "?error=sso-failed",
      cookies: [],
    });
  const own = await answerTo(`error=access_denied&state=${asked}`);
  expect(own.leads).toBe("?error=sso-cancelled");
  expect(own.cookies.map((cookie) => cookie.split("=")[0])).toContain(stateCookie);
});

it("accepts no other cookie of ours as a state (threat: a token that was made for something else)", async () => {
  await keepState(`__Host-gancho.nonce.${attemptId}`);
  expect(await comeBack(`code=c&state=${asked}`)).toBe("?error=sso-failed");
  cookies.set(stateCookie, "asked");
  expect(await comeBack(`code=c&state=${asked}`)).toBe("?error=sso-failed");
  expect((await written()).counts).toEqual([]);
});

it("counts and records each requested answer that fails, with its address", async () => {
  const warned = vi.spyOn(log, "warn");
  const before = await written();
  await keepState();
  for (let n = 0; n < 100; n++)
    expect(await comeBack(`code=c&state=${asked}`)).toBe("?error=sso-failed");
  expect((await written()).entries).toBe(before.entries + 100);
  expect(await comeBack(`code=c&state=${asked}`)).toMatch(/^\?error=throttled%3A\d+$/);
  expect(warned).toHaveBeenLastCalledWith(
    { requestId: "q1", clientAddress: office, outcome: "throttled" },
    "single sign-on",
  );
});

const authorize = "https://id.example/authorize?state=x";

/** Where the sign-in button leads if next-auth answers with this address. */
async function pressed(address: string): Promise<string> {
  return ((await (await press(address)).json()) as { url: string }).url;
}

async function press(address: string): Promise<Response> {
  leads.to = address;
  const request = new Request("https://gancho.example/api/auth/signin/oidc", { method: "POST" });
  return sendToProvider(config, { request, requestId: "q1" }, { callbackUrl: "/account" });
}

it("leads to the provider over TLS only, and else back to sign in with the wanted page kept (threat: a password in the clear)", async () => {
  const back = "https://gancho.example/sign-in?error=sso-failed&callbackUrl=%2Faccount";
  expect(await pressed(authorize)).toMatch(
    /^https:\/\/id\.example\/authorize\?state=[0-9a-f]{12}\.x$/,
  );
  expect(await pressed("http://id.example/authorize?state=x")).toBe(back);
  expect(await pressed("https://gancho.example/api/auth/error?error=OAuthSignin")).toBe(back);
});

it("sends one network to the provider 300 times in ten minutes (threat: calls to the provider on demand)", async () => {
  for (let n = 0; n < 300; n++) await pressed(authorize);
  await expect(pressed(authorize)).rejects.toMatchObject({ code: "too_many_requests" });
});

it("keeps the cookies of four attempts, and takes the oldest (threat: more cookies than a request may have)", async () => {
  const begun = ["000000000001", "000000000002", "000000000003", "000000000004"];
  for (const id of begun.slice(0, 3)) cookies.set(`__Host-gancho.state.${id}`, "kept");
  const taken = async () =>
    (await press(authorize)).headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
  expect(await taken()).toEqual([]);
  cookies.set("__Host-gancho.state.000000000004", "kept");
  expect(await taken()).toEqual(
    ["state", "nonce", "pkce", "wanted"].map((what) => `__Host-gancho.${what}.000000000001`),
  );
});
