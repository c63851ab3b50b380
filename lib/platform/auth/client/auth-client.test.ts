import { afterEach, expect, test, vi } from "vitest";
import {
  beginSingleSignOn,
  signInFailure,
  signInWithCode,
  signInWithPasskey,
  signInWithPassword,
  signOut,
} from "./auth-client";

const typed = { email: "a@b.example", password: "correct horse battery", callbackUrl: "/partners" };

/** Answers as next-auth does: a CSRF token, then the address it would redirect to. */
function nextAuthAnswers(answer: () => Response) {
  const fetching = vi.fn(async (address: string, _init?: RequestInit) =>
    address === "/api/auth/csrf" ? Response.json({ csrfToken: "t" }) : answer(),
  );
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

const redirect =
  (path: string, status = 200) =>
  () =>
    Response.json({ url: `https://gancho.example${path}` }, { status });

afterEach(() => vi.unstubAllGlobals());

test("a redirect without an error is a sign-in, and the password went in the body only", async () => {
  const fetching = nextAuthAnswers(redirect("/partners"));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "signed_in" });
  const [address, init] = fetching.mock.calls[1] ?? [];
  expect(address).toBe("/api/auth/callback/credentials");
  expect(init?.body).toEqual(new URLSearchParams({ ...typed, csrfToken: "t", json: "true" }));
});

test("distinguishes a wrong password, a throttled person and a failing server", async () => {
  nextAuthAnswers(redirect("/api/auth/error?error=CredentialsSignin&provider=credentials", 401));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "refused" });
  nextAuthAnswers(redirect("/api/auth/error?error=throttled%3A42", 401));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "throttled", retryAfterSeconds: 42 });
  nextAuthAnswers(redirect("/api/auth/error?error=unavailable", 401));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "failed" });
  nextAuthAnswers(() => new Response("<html>", { status: 502 }));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "failed" });
});

test("Gancho without its database is no refusal, and no other server's answer passes for it", async () => {
  const problem = (code: string) => () => Response.json({ code, retryAfter: 5 }, { status: 503 });
  vi.stubGlobal("PublicKeyCredential", {});
  nextAuthAnswers(problem("database_unavailable"));
  const code = { code: "123456", callbackUrl: "/partners" };
  for (const result of [
    await signInWithPassword(typed),
    await signInWithCode(code),
    await signInWithPasskey(code),
    signInFailure("database_unavailable"),
  ])
    expect(result).toEqual({ outcome: "database_away" });
  nextAuthAnswers(problem("no_backend"));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "failed" });
});

test("a required code is no failure, and a wrong one differs from one that comes too late", async () => {
  nextAuthAnswers(redirect("/api/auth/error?error=code_required"));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "code_required" });
  const code = { code: "123456", callbackUrl: "/partners" };
  const fetching = nextAuthAnswers(redirect("/api/auth/error?error=CredentialsSignin", 401));
  expect(await signInWithCode(code)).toEqual({ outcome: "wrong_code" });
  expect(fetching.mock.calls[1]?.[0]).toBe("/api/auth/callback/one-time-code");
  nextAuthAnswers(redirect("/api/auth/error?error=code_over", 401));
  expect(await signInWithCode(code)).toEqual({ outcome: "code_over" });
  nextAuthAnswers(redirect("/partners"));
  expect(await signInWithCode(code)).toEqual({ outcome: "signed_in" });
});

test("a refused CSRF token is no success, though next-auth reports no error", async () => {
  nextAuthAnswers(redirect("/sign-in?csrf=true"));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "failed" });
  expect(await signOut()).toBe(false);
});

test("no network is an outcome, not an exception", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "unreachable" });
  expect(await signOut()).toBe(false);
});

test("signing out is believed only when next-auth answered", async () => {
  nextAuthAnswers(redirect("/sign-in"));
  expect(await signOut()).toBe(true);
  nextAuthAnswers(() => new Response(null, { status: 500 }));
  expect(await signOut()).toBe(false);
});

test("single sign-on goes to the provider's sign-in page", async () => {
  nextAuthAnswers(() => Response.json({ url: "https://id.example/authorize?state=x" }));
  expect(await beginSingleSignOn({ callbackUrl: "/partners", askWho: false })).toEqual({
    outcome: "go",
    address: new URL("https://id.example/authorize?state=x"),
  });
});

const again = { callbackUrl: "/", askWho: true };

test("a failure to begin single sign-on is reported on the same page", async () => {
  nextAuthAnswers(redirect("/sign-in?error=sso-provider_unreachable"));
  expect(await beginSingleSignOn(again)).toEqual({
    outcome: "single_sign_on",
    reason: "provider_unreachable",
  });
  nextAuthAnswers(redirect("/api/auth/signin?csrf=true"));
  expect(await beginSingleSignOn(again)).toEqual({ outcome: "failed" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await beginSingleSignOn(again)).toEqual({ outcome: "unreachable" });
});

test("distinguishes a browser without passkeys, a full bucket and a server that cannot begin", async () => {
  const answers = (body: object, status: number) =>
    vi.stubGlobal("fetch", async () => Response.json(body, { status }));
  answers({ options: { challenge: "AAAA" } }, 200);
  expect(await signInWithPasskey({ callbackUrl: "/" })).toEqual({
    outcome: "no_passkey",
    why: "unsupported",
  });
  answers({ code: "too_many_requests", retryAfter: 40 }, 429);
  expect(await signInWithPasskey({ callbackUrl: "/" })).toEqual({
    outcome: "throttled",
    retryAfterSeconds: 40,
  });
  answers({ code: "passkeys_unavailable" }, 409);
  expect(await signInWithPasskey({ callbackUrl: "/" })).toEqual({ outcome: "failed" });
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
  expect(await signInWithPasskey({ callbackUrl: "/" })).toEqual({ outcome: "unreachable" });
});
