import type { SingleSignOnFailure } from "@/lib/platform/auth/model/single-sign-on-failure";
import { errorCode, networkErrorOf } from "@/lib/platform/runtime/network-error";

/** Why the provider said nothing: nobody was refused. */
export type Outage = Extract<SingleSignOnFailure, "no_answer" | `proxy_${string}`>;

/** By the codes of `OutboundError`. */
const ofProxy: Partial<Record<string, Outage>> = {
  PROXY_FAILED: "proxy_failed",
  PROXY_PASSWORD: "proxy_password",
  PROXY_REFUSED: "proxy_refused",
};

/** openid-client's words for no answer in time, an answer 5xx, and an error of the provider's own (RFC 6749, 4.1.2.1). */
const faults =
  /^(outgoing request timed out|expected 200 OK, got: 5|(server_error|temporarily_unavailable)\b)/;

/**
 * Why openid-client failed, where the provider was not reached, did not answer in time, or has a fault of its own; null
 * where it failed otherwise. Of its errors next-auth keeps code and message alone.
 */
export function outageIn(error: unknown): Outage | null {
  if (!(error instanceof Error)) return null;
  const code = errorCode(error) ?? "";
  const isOutage =
    faults.test(error.message) ||
    networkErrorOf(code) !== null ||
    ["ECONNRESET", "EPIPE"].includes(code);
  return ofProxy[code] ?? (isOutage ? "no_answer" : null);
}
