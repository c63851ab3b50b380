import "server-only";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";

/**
 * Cross-site request forgery: a mutation must come from our pages. Three independent signs, each of which another site
 * cannot forge from a browser: the exact Origin, a custom header (which forces a preflight that we never answer), and
 * Sec-Fetch-Site where the browser sends it. It does not prove who sends it; the session does.
 */
export function requireSameOrigin(headers: Headers): void {
  if (
    headers.get("origin") !== env().url.origin ||
    headers.get("x-requested-by") !== "gancho" ||
    !isSameSite(headers)
  )
    throw new ProblemError("wrong_origin", { applied: "no" });
}

function isSameSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null || site === "same-origin";
}
