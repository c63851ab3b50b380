import "server-only";
import { env } from "@/lib/env";
import { ProblemError } from "@/lib/problem";

/**
 * Cross-site request forgery: a mutation must come from our own pages. Three independent signs, each of which another
 * site cannot forge from a browser: the exact Origin, a header of our own (which forces a preflight that we never
 * answer), and Sec-Fetch-Site where the browser sends it. It does not prove who is asking; the session does.
 */
export function requireOwnPage(headers: Headers): void {
  const site = headers.get("sec-fetch-site");
  if (
    headers.get("origin") !== env().url.origin ||
    headers.get("x-requested-by") !== "gancho" ||
    (site !== null && site !== "same-origin")
  )
    throw new ProblemError("wrong_origin", { applied: "no" });
}
