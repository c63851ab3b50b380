import "server-only";
import type { SingleSignOnFailure } from "@/lib/platform/auth/model/single-sign-on-failure";
import * as z from "zod";

/** Errors that a provider answers with (RFC 6749, sections 4.1.2.1 and 5.2; OpenID Connect Core 1.0, section 3.1.2.6). */
const providerErrors: Record<string, SingleSignOnFailure> = {
  access_denied: "cancelled",
  interaction_required: "cancelled",
  invalid_grant: "expired",
  server_error: "provider_unreachable",
  temporarily_unavailable: "provider_unreachable",
  invalid_client: "misconfigured",
  invalid_request: "misconfigured",
  invalid_scope: "misconfigured",
  unauthorized_client: "misconfigured",
  unsupported_response_type: "misconfigured",
};

/** The meaning of a code in the provider's `error`. */
export function providerFailure(code: string): SingleSignOnFailure {
  return Object.hasOwn(providerErrors, code) ? (providerErrors[code] ?? "failed") : "failed";
}

/** How openid-client begins its complaints about an answer that is not to the question of this browser, or late. */
const late = /^(state |nonce |JWT expired|checks\.)/;

/** How it reports that the provider was away: a 5xx status, or no answer at all. */
const absent = /^(outgoing request timed out|expected 200 OK, got: 5)/;

const described = z.object({ name: z.string(), message: z.string() });

/** Node's codes for connections and certificates; `ERR_…` is for a program's mistakes. */
const network = z.object({ code: z.string().regex(/^(?!ERR_)[A-Z0-9_]+$/) });

/** Why the exchange with the provider failed, by what openid-client or the network threw. */
export function failureOf(error: unknown): SingleSignOnFailure {
  if (network.safeParse(error).success) return "provider_unreachable";
  const { data } = described.safeParse(error);
  if (!data) return "failed";
  if (absent.test(data.message)) return "provider_unreachable";
  if (data.name === "OPError") return providerFailure(data.message.split(" ")[0] ?? "");
  if (data.name !== "RPError") return "failed";
  return late.test(data.message) ? "expired" : "misconfigured";
}

/** For the log: the reason, without the values that were compared. */
export function reasonForLog(error: unknown): string {
  const { data } = described.safeParse(error);
  return data ? `${data.name}: ${data.message.split(",")[0] ?? ""}`.slice(0, 200) : typeof error;
}
