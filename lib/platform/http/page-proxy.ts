import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { NextResponse, type NextRequest } from "next/server";
import { contentSecurityPolicy } from "./content-security-policy";

/**
 * Sets the policy of an answer, and sends the obviously signed-out to sign in without an empty page first. Makes no
 * security decision: a request with a cookie of the right name passes, and the pages and routes check it. The headers
 * that never change are in next.config.mjs and lib/cli/dashboard-server.ts, where static files get them too. `origin`
 * is the dashboard's public one, whatever Host the request claims.
 */
export function pageProxy(request: NextRequest, origin: URL, development: boolean): NextResponse {
  const secure = origin.protocol === "https:";
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = contentSecurityPolicy(nonce, development);

  const response = needsSignIn(request, secure)
    ? NextResponse.redirect(signInAddress(request, origin))
    : NextResponse.next({ request: { headers: onwardHeaders(request, policy) } });

  response.headers.set("content-security-policy", policy);
  return response;
}

/** The framework takes the nonce of its scripts from the request's policy: none but ours may reach it. */
function onwardHeaders(request: NextRequest, policy: string): Headers {
  const headers = new Headers(request.headers);
  headers.delete("content-security-policy-report-only");
  headers.delete("x-nonce");
  headers.set("content-security-policy", policy);
  return headers;
}

function needsSignIn(request: NextRequest, secure: boolean): boolean {
  const { pathname } = request.nextUrl;
  const isPage = request.method === "GET" || request.method === "HEAD";
  const isOpen =
    /^\/(?:sign-in|invitation|choose-password|forgot-password|alert-address|_next)(?:\/|$)/.test(
      pathname,
    );
  return isPage && !isOpen && !request.cookies.has(sessionCookieName(secure));
}

function signInAddress(request: NextRequest, origin: URL): URL {
  const address = new URL("/sign-in", origin);
  const { pathname, search } = request.nextUrl;
  if (pathname !== "/") address.searchParams.set("callbackUrl", pathname + search);
  return address;
}
