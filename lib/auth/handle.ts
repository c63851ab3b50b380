import "server-only";
import { env } from "@/lib/env";
import { ProblemError } from "@/lib/problem";
import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { authOptions } from "./options";

/** The parts of next-auth that Gancho uses; its pages, its log endpoint and its session updates are not offered. */
const offered = new Set([
  "GET csrf",
  "GET error",
  "GET providers",
  "GET session",
  "GET signin",
  "GET signout",
  "POST callback/credentials",
  "POST signin/credentials",
  "POST signout",
]);

const prefix = "/api/auth/";

/** Answers `/api/auth/…`. Throws `not_found`, or `wrong_origin` for what another site's page sent. */
export async function handleAuth(
  request: Request,
  body?: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const action = new URL(request.url).pathname.slice(prefix.length);
  if (!offered.has(`${request.method} ${action}`)) throw new ProblemError("not_found");
  requireOwnOrigin(request.headers);
  // next-auth builds its addresses from this variable, and without it from what the caller says in Host.
  process.env["NEXTAUTH_URL"] = env().url.origin;
  const { method, headers } = request;
  const own = new NextRequest(request.url, { method, headers, ...(body ? { body } : {}) });
  const answer: unknown = await NextAuth(
    own,
    { params: { nextauth: action.split("/") } },
    authOptions(),
  );
  if (!(answer instanceof Response)) throw new Error("next-auth gave no response");
  return answer;
}

/**
 * Signing somebody in as somebody else from another site. Beside next-auth's own token: where the browser says which
 * page sends, it must be ours. Programs send no Origin and carry no cookies of a person's browser.
 */
function requireOwnOrigin(headers: Headers): void {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isOwn = origin === null || origin === env().url.origin;
  if (!isOwn || site === "cross-site" || site === "same-site")
    throw new ProblemError("wrong_origin");
}
