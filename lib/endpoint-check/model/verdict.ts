import type { EgressFailure } from "@/lib/platform/egress/model/failures";
import type { CheckAnswer, EndpointCheck, Verdict } from "./check";

type Found = Pick<EndpointCheck, "dns" | "tls" | "without" | "with" | "withheld">;

/** What the steps of a check say together. */
export function verdictOf({ dns, tls, without, with: withValue, withheld }: Found): Verdict {
  if (dns.failure) return isUnknownName(dns.failure) ? "name_not_found" : "not_allowed";
  if ([tls, without, withValue].some((step) => step?.failure === "client_certificate"))
    return "client_certificate";
  if (tls?.failure) return isUnreachable(tls.failure) ? "unreachable" : "tls_failed";
  // Whatever it answered to the value.
  if (isAccepted(without)) return "accepts_without";
  if (withValue) {
    if (isAccepted(withValue)) return isRefused(without) ? "accepts_only_with" : "accepts_with";
    if (isUnauthorized(withValue)) return "refuses_with";
    const differs = isUnauthorized(without) && isRefused(withValue) && !isRedirect(withValue);
    return differs ? "answers_differ" : otherEnd(withValue);
  }
  if (!isUnauthorized(without)) return otherEnd(without);
  return withheld === "not_set" ? "value_missing" : "refuses_without";
}

function otherEnd(answer: CheckAnswer | null): Verdict {
  const status = answer?.status ?? null;
  if (status === null) return "no_answer";
  return isRedirect(answer) ? "redirects" : "answers_error";
}

function isRedirect(answer: CheckAnswer | null): boolean {
  const status = answer?.status ?? 0;
  return status >= 300 && status < 400;
}

function isAccepted(answer: CheckAnswer | null): boolean {
  const status = answer?.status ?? 0;
  return status >= 200 && status < 300;
}

function isUnauthorized(answer: CheckAnswer | null): boolean {
  return answer?.status === 401 || answer?.status === 403;
}

/**
 * A deliberate refusal: other 4xx may hide that the address exists, and a redirect may lead to a sign-in. Not what can
 * happen to any message: "too many requests", "timeout", the receiver's own failure, or no answer at all.
 */
function isRefused(answer: CheckAnswer | null): boolean {
  const status = answer?.status ?? 0;
  return status >= 300 && status < 500 && status !== 408 && status !== 429;
}

function isUnknownName(failure: EgressFailure): boolean {
  return failure === "name_not_found" || failure === "name_failed";
}

function isUnreachable(failure: EgressFailure): boolean {
  return ["refused", "unreachable", "connect_timeout", "proxy_refused"].includes(failure);
}

/** A certificate with fewer days left than this needs attention. */
export const soonDays = 21;

const tones: Partial<Record<Verdict, "ok" | "info" | "bad">> = {
  accepts_only_with: "ok",
  accepts_with: "info",
  refuses_without: "info",
  answers_differ: "info",
  client_certificate: "info",
  accepts_without: "bad",
};

export function toneOf(verdict: Verdict): "ok" | "info" | "bad" | "warn" {
  return tones[verdict] ?? "warn";
}

/** Whether a check still covers what is registered now. */
export function isCurrent(
  check: Pick<EndpointCheck, "url" | "fingerprint">,
  now: { callbackUrl: string; authorization: { fingerprint: string | null } },
): boolean {
  return check.url === now.callbackUrl && check.fingerprint === now.authorization.fingerprint;
}
