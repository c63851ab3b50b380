import { errors } from "undici";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";

/**
 * Codes of Node (libuv, OpenSSL's verification) and undici. A code that is not here, and a TLS handshake that fails
 * for another reason than the certificate, is `connection_failed`.
 */
const byCode: Readonly<Record<string, FaultCode>> = {
  ECONNREFUSED: "connection_refused",

  ENOTFOUND: "name_not_found",
  EAI_AGAIN: "name_not_found",
  EAI_NODATA: "name_not_found",
  EAI_NONAME: "name_not_found",

  CERT_HAS_EXPIRED: "certificate_expired",
  // Not valid today either; the remedy, dates that include today, is the same.
  CERT_NOT_YET_VALID: "certificate_expired",

  ERR_TLS_CERT_ALTNAME_INVALID: "certificate_wrong_name",
  HOSTNAME_MISMATCH: "certificate_wrong_name",

  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate_untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate_untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate_untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "certificate_untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate_untrusted",
  CERT_UNTRUSTED: "certificate_untrusted",
  CERT_REJECTED: "certificate_untrusted",
  CERT_REVOKED: "certificate_untrusted",
  CERT_SIGNATURE_FAILURE: "certificate_untrusted",
  CERT_CHAIN_TOO_LONG: "certificate_untrusted",
  PATH_LENGTH_EXCEEDED: "certificate_untrusted",
  INVALID_CA: "certificate_untrusted",
  INVALID_PURPOSE: "certificate_untrusted",

  ETIMEDOUT: "upstream_timeout",

  UND_ERR_HEADERS_OVERFLOW: "bad_response",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "bad_response",
};

/** The fault for an error of the transport, by its code alone: messages differ between versions. */
export function classifyTransportError(error: unknown): FaultCode {
  // One error for each address that was tried; "no route to IPv6" says less than the others.
  if (error instanceof AggregateError) {
    const codes = error.errors.map(classifyTransportError);
    return codes.find((code) => code !== "connection_failed") ?? "connection_failed";
  }
  // The answer is not HTTP/1.1.
  if (error instanceof errors.HTTPParserError) return "bad_response";
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") {
    return "connection_failed";
  }
  return byCode[error.code] ?? "connection_failed";
}
