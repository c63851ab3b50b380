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
  }),
  headers: async () => new Headers(),
}));
// Calls no provider: these tests are not about the outcome of an attempt.
vi.mock("@/lib/platform/auth/sign-in/next-auth", () => ({
  nextAuth: async () => Response.json({ url: leads.to }),
}));

const config: SingleSignOnSettings = {
  issuer: "https://id.example",
  clientId: "gancho",
  clientSecret: new Secret("secret"),
  name: "Example ID",
  staff: null,
};

beforeAll(() => configure({ GANCHO_URL: "https://gancho.example" }));
beforeEach(async () => {
  cookies.clear();
  await db().deleteFrom("rate_limits").execute();
});

const office = "192.0.2.7";

/** The callback's answer to a browser of the office that has what `cookies` has. */
async function comeBack(query: string): Promise<string> {
  const request = new Request(`https://gancho.example/api/auth/callback/oidc?${query}`, {
    headers: { "x-gancho-client-address": office },
  });
  const answer = await finishSingleSignOn(config, {
    request,
    requestId: "q1",
    action: "callback/oidc",
    body: undefined,
  });
  return new URL(answer.headers.get("location") ?? "").search;
}

/** As next-auth keeps it in the browser that it sends to the provider. */
async function keepState(value: string, salt = "__Host-gancho.state"): Promise<void> {
  const token = { value, provider: "oidc" };
  const secret = env().authSecret.reveal();
  cookies.set("__Host-gancho.state", await encode({ token, salt, secret, maxAge: 900 }));
}

async function written() {
  const counts = db().selectFrom("rate_limits").select("attempts");
  const entries = db().selectFrom("history").select("seq");
  return { counts: await counts.execute(), entries: (await entries.execute()).length };
}

it("redirects back with the reason, instead of failing, where the database is unavailable", async () => {
  await keepState("asked");
  vi.spyOn(db(), "deleteFrom").mockImplementationOnce(() => {
    throw new DatabaseUnavailable("no_answer", "no answer in time");
  });
  expect(await comeBack("code=c&state=asked")).toBe("?error=database_unavailable");
});

it("neither counts nor records answers that this browser did not request (threat: a website that blocks a network by requesting images)", async () => {
  const before = await written();
  for (let n = 0; n < 40; n++) {
    cookies.clear();
    expect(await comeBack(`code=c${n}&state=s${n}`)).toBe("?error=sso-failed");
    expect(await comeBack("code=c")).toBe("?error=sso-failed");
    expect(await comeBack("error=access_denied")).toBe("?error=sso-failed");
    await keepState("asked");
    expect(await comeBack(`code=c&state=s${n}`)).toBe("?error=sso-failed");
    expect(await comeBack("code=c&state=")).toBe("?error=sso-failed");
  }
  expect(await written()).toEqual({ counts: [], entries: before.entries });
  expect(await consume(db(), { email: null, clientAddress: office })).toEqual({ allowed: true });
});

it("accepts no other cookie of ours as a state (threat: a token that was made for something else)", async () => {
  await keepState("asked", "__Host-gancho.nonce");
  expect(await comeBack("code=c&state=asked")).toBe("?error=sso-failed");
  cookies.set("__Host-gancho.state", "asked");
  expect(await comeBack("code=c&state=asked")).toBe("?error=sso-failed");
  expect((await written()).counts).toEqual([]);
});

it("counts and records each requested answer that fails, with its address", async () => {
  const warned = vi.spyOn(log, "warn");
  const before = await written();
  await keepState("asked");
  for (let n = 0; n < 100; n++)
    expect(await comeBack("code=c&state=asked")).toBe("?error=sso-failed");
  expect((await written()).entries).toBe(before.entries + 100);
  expect(await comeBack("code=c&state=asked")).toMatch(/^\?error=throttled%3A\d+$/);
  expect(warned).toHaveBeenLastCalledWith(
    { requestId: "q1", clientAddress: office, outcome: "throttled" },
    "single sign-on",
  );
});

/** Where the sign-in button leads if next-auth answers with this address. */
async function pressed(address: string): Promise<string> {
  leads.to = address;
  const request = new Request("https://gancho.example/api/auth/signin/oidc", { method: "POST" });
  const body = new TextEncoder().encode("callbackUrl=%2Faccount");
  const auth = { request, requestId: "q1", action: "signin/oidc", body };
  return ((await (await sendToProvider(config, auth)).json()) as { url: string }).url;
}

it("leads to the provider over TLS only, and else back to sign in with the wanted page kept (threat: a password in the clear)", async () => {
  const back = "https://gancho.example/sign-in?error=sso-failed&callbackUrl=%2Faccount";
  const asked = "https://id.example/authorize?state=x";
  expect(await pressed(asked)).toBe(asked);
  expect(await pressed("http://id.example/authorize?state=x")).toBe(back);
  expect(await pressed("https://gancho.example/api/auth/error?error=OAuthSignin")).toBe(back);
});

it("sends one network to the provider 300 times in ten minutes (threat: calls to the provider on demand)", async () => {
  const asked = "https://id.example/authorize?state=x";
  for (let n = 0; n < 300; n++) await pressed(asked);
  await expect(pressed(asked)).rejects.toMatchObject({ code: "too_many_requests" });
});
