import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  beginSingleSignOn,
  signInFailure,
  signInWithCode,
  signInWithPasskey,
  signInWithPassword,
  signOut,
} from "./auth-client";

const typed = { email: "a@b.example", password: "correct horse battery" };

function answers(body: object, status = 200) {
  const fetching = vi.fn(async (_address: string, _init?: RequestInit) =>
    Response.json(body, { status }),
  );
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

const refuses = (code: string, status = 401, more: object = {}) =>
  answers({ status, code, requestId: "r", ...more }, status);

const leadsTo = (path: string) => answers({ url: `https://gancho.example${path}` });

beforeEach(() => vi.stubGlobal("navigator", { onLine: true }));
afterEach(() => vi.unstubAllGlobals());

test("the password goes in the body only, and nothing but the answer is a sign-in", async () => {
  const fetching = answers({ outcome: "signed_in" });
  expect(await signInWithPassword(typed)).toEqual({ outcome: "signed_in" });
  const [address, init] = fetching.mock.calls[0] ?? [];
  expect(address).toBe("/api/sign-in/password");
  expect(init?.body).toBe(JSON.stringify(typed));
  answers({});
  expect(await signInWithPassword(typed)).toEqual({ outcome: "failed" });
});

test("distinguishes a wrong password, a throttled person and a failing server", async () => {
  refuses("sign_in_refused");
  expect(await signInWithPassword(typed)).toEqual({ outcome: "password" });
  refuses("too_many_requests", 429, { retryAfter: 42 });
  expect(await signInWithPassword(typed)).toEqual({ outcome: "throttled", retryAfterSeconds: 42 });
  refuses("internal_error", 500);
  expect(await signInWithPassword(typed)).toEqual({ outcome: "failed" });
  refuses("no_backend", 502);
  expect(await signInWithPassword(typed)).toEqual({ outcome: "unreachable" });
});

test("an unavailable database is no refusal", async () => {
  refuses("database_unavailable", 503, { retryAfter: 5 });
  for (const result of [
    await signInWithPassword(typed),
    await signInWithCode("123456"),
    await signInWithPasskey(),
    signInFailure("database_unavailable"),
  ])
    expect(result).toEqual({ outcome: "database_away" });
});

test("a required code is no failure, and a wrong one differs from one that comes too late", async () => {
  answers({ outcome: "code_required" });
  expect(await signInWithPassword(typed)).toEqual({ outcome: "code_required" });
  const fetching = refuses("sign_in_refused");
  expect(await signInWithCode("123456")).toEqual({ outcome: "code" });
  expect(fetching.mock.calls[0]?.[0]).toBe("/api/sign-in/code");
  refuses("sign_in_over", 409);
  expect(await signInWithCode("123456")).toEqual({ outcome: "code_over" });
  answers({ outcome: "signed_in" });
  expect(await signInWithCode("123456")).toEqual({ outcome: "signed_in" });
});

test("no network is an outcome, not an exception", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await signInWithPassword(typed)).toEqual({ outcome: "unreachable" });
  expect(await signOut()).toBeNull();
});

test("signing out is believed only when the server says so", async () => {
  leadsTo("/sign-in");
  expect((await signOut())?.pathname).toBe("/sign-in");
  for (const code of ["database_unavailable", "wrong_origin"]) {
    refuses(code, 503);
    expect(await signOut()).toBeNull();
  }
  answers({});
  expect(await signOut()).toBeNull();
});

test("single sign-on goes to the provider's sign-in page", async () => {
  answers({ url: "https://id.example/authorize?state=x" });
  expect(await beginSingleSignOn({ callbackUrl: "/partners", askWho: false })).toEqual({
    outcome: "go",
    address: new URL("https://id.example/authorize?state=x"),
  });
});

const again = { callbackUrl: "/", askWho: true };

test("a failure to begin single sign-on is reported on the same page", async () => {
  leadsTo("/sign-in?error=sso-failed");
  expect(await beginSingleSignOn(again)).toEqual({
    outcome: "single_sign_on",
    reason: "failed",
  });
  refuses("wrong_origin", 403);
  expect(await beginSingleSignOn(again)).toEqual({ outcome: "failed" });
  refuses("too_many_requests", 429, { retryAfter: 40 });
  expect(await beginSingleSignOn(again)).toEqual({ outcome: "throttled", retryAfterSeconds: 40 });
  refuses("database_unavailable", 503);
  expect(await beginSingleSignOn(again)).toEqual({ outcome: "database_away" });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await beginSingleSignOn(again)).toEqual({ outcome: "unreachable" });
});

test("distinguishes a browser without passkeys, a full bucket and a server that cannot begin", async () => {
  answers({ options: { challenge: "AAAA" } });
  expect(await signInWithPasskey()).toEqual({ outcome: "passkey_unusable" });
  refuses("too_many_requests", 429, { retryAfter: 40 });
  expect(await signInWithPasskey()).toEqual({ outcome: "throttled", retryAfterSeconds: 40 });
  refuses("passkeys_unavailable", 409);
  expect(await signInWithPasskey()).toEqual({ outcome: "failed" });
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
  expect(await signInWithPasskey()).toEqual({ outcome: "unreachable" });
});
