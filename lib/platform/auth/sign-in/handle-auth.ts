import "server-only";
import { finishSingleSignOn, sendToProvider } from "@/lib/platform/auth/oidc/handle";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { nextAuth } from "./next-auth";

/** The parts of next-auth that Gancho uses; its pages, its log endpoint and its session updates are not offered. */
const offered = ["GET csrf", "POST signout"];
const ofSingleSignOn = ["GET callback/oidc", "POST signin/oidc"];

const prefix = "/api/auth/";

/** Answers `/api/auth/…`. Throws `not_found`, or `wrong_origin` for another site's page. */
export async function handleAuth(
  request: Request,
  requestId: string,
  body?: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const action = new URL(request.url).pathname.slice(prefix.length);
  const auth = { request, requestId, action, body };
  const { oidc } = env();
  const call = `${request.method} ${action}`;
  if (![...offered, ...(oidc ? ofSingleSignOn : [])].includes(call))
    throw new ProblemError("not_found");
  // The provider sends the person here, from its own site; the state in this browser's cookies proves that it was
  // requested.
  if (oidc && call === "GET callback/oidc") return finishSingleSignOn(oidc, auth);
  requireOwnOrigin(request.headers);
  if (oidc && call === "POST signin/oidc") return sendToProvider(oidc, auth);
  return nextAuth(auth);
}

/**
 * Keeps another site from signing a person in as somebody else. In addition to next-auth's token: where the browser
 * names the sending page, it must be ours. Programs send no Origin and carry no cookies of a person's browser.
 */
function requireOwnOrigin(headers: Headers): void {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isOwn = origin === null || origin === env().url.origin;
  if (!isOwn || site === "cross-site" || site === "same-site")
    throw new ProblemError("wrong_origin");
}
