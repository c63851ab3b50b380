import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { pageProxy } from "./page-proxy";

const https = new URL("https://gancho.example");
const http = new URL("http://localhost:3000");

const send = (
  path: string,
  { origin = https, ...init }: { origin?: URL; method?: string; headers?: HeadersInit } = {},
) => pageProxy(new NextRequest(new URL(path, origin), init), origin, false);

const signedIn = { cookie: "__Host-gancho.session=x" };

/** What the framework will see instead of the request's header. */
function onward(response: Response, name: string): string | null {
  const overridden = response.headers.get("x-middleware-override-headers")?.split(",") ?? [];
  return overridden.includes(name) ? response.headers.get(`x-middleware-request-${name}`) : null;
}

test("every answer has a strict policy with a new nonce", () => {
  const policies = [send("/", { headers: signedIn }), send("/"), send("/sign-in")].map(
    (response) => response.headers.get("content-security-policy") ?? "",
  );
  for (const policy of policies) {
    expect(policy.replace(/'nonce-[A-Za-z0-9+/]{22}=='/g, "'nonce-…'")).toBe(
      "default-src 'none'; script-src 'nonce-…' 'strict-dynamic'; style-src 'self' 'nonce-…'; img-src 'self' data:; " +
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types default",
    );
  }
  expect(new Set(policies).size).toBe(policies.length);
});

test("an injected policy or nonce header does not reach the framework, which would use its nonce", () => {
  const response = send("/", {
    headers: {
      ...signedIn,
      "content-security-policy": "script-src 'nonce-evil'",
      "content-security-policy-report-only": "script-src 'nonce-evil'",
      "x-nonce": "evil",
    },
  });
  expect(onward(response, "content-security-policy")).toBe(
    response.headers.get("content-security-policy"),
  );
  expect(onward(response, "content-security-policy-report-only")).toBeNull();
  expect(onward(response, "x-nonce")).toBeNull();
});

test("a request for a page without a session cookie leads to sign in and back", () => {
  const response = send("/partners/aurora/sandbox/webhooks?edit=pix_in");
  expect(response.status).toBe(307);
  expect(response.headers.get("location")).toBe(
    "https://gancho.example/sign-in?callbackUrl=%2Fpartners%2Faurora%2Fsandbox%2Fwebhooks%3Fedit%3Dpix_in",
  );
  expect(send("/").headers.get("location")).toBe("https://gancho.example/sign-in");
});

test("the redirect to sign in is on our origin, whatever Host the request claims", () => {
  const request = new NextRequest("https://evil.example/partners");
  expect(pageProxy(request, https, false).headers.get("location")).toMatch(
    /^https:\/\/gancho\.example\//,
  );
});

test("sign in itself, an invitation, the interface, and requests with a cookie are not redirected", () => {
  const http1 = { origin: http, headers: { cookie: "gancho.session=x" } };
  for (const response of [
    send("/sign-in"),
    send("/alert-address"),
    send("/invitation"),
    send("/_next/no-such-file"),
    send("/partners", { headers: signedIn }),
    send("/partners", http1),
    send("/partners", { method: "POST" }),
  ]) {
    expect(response.headers.get("location")).toBeNull();
  }
});

test("on https, the cookie of plain http counts for nothing", () => {
  expect(send("/partners", { headers: { cookie: "gancho.session=x" } }).status).toBe(307);
});
