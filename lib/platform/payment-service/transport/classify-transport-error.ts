import { errors } from "undici";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { errorCode } from "@/lib/platform/runtime/error-code";
import { networkErrorOf, type NetworkError } from "@/lib/platform/runtime/network-error";

const faults: Record<NetworkError, FaultCode> = {
  refused: "connection_refused",
  unreachable: "connection_failed",
  timed_out: "upstream_timeout",
  name_not_found: "name_not_found",
  certificate_expired: "certificate_expired",
  // Not valid today either; the remedy, dates that include today, is the same.
  certificate_not_yet_valid: "certificate_expired",
  certificate_wrong_name: "certificate_wrong_name",
  certificate_self_signed: "certificate_untrusted",
  certificate_untrusted: "certificate_untrusted",
};

/** Of undici. */
const badResponses = ["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"];

/**
 * The fault for an error of the transport. An error that nothing here knows, and a TLS handshake that fails for another
 * reason than the certificate, is `connection_failed`.
 */
export function classifyTransportError(error: unknown): FaultCode {
  // One error for each address that was tried; "no route to IPv6" says less than the others.
  if (error instanceof AggregateError) {
    const codes = error.errors.map(classifyTransportError);
    return codes.find((code) => code !== "connection_failed") ?? "connection_failed";
  }
  // The answer is not HTTP/1.1.
  if (error instanceof errors.HTTPParserError) return "bad_response";
  const code = errorCode(error) ?? "";
  if (badResponses.includes(code)) return "bad_response";
  const known = networkErrorOf(code);
  return known ? faults[known] : "connection_failed";
}
