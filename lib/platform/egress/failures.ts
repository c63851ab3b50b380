import { errorCode } from "@/lib/platform/runtime/error-code";
import type { EgressFailure } from "./model/failures";

const byCode: Readonly<Record<string, EgressFailure>> = {
  ECONNREFUSED: "refused",
  ENETUNREACH: "unreachable",
  EHOSTUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  EACCES: "unreachable",
  EPERM: "unreachable",

  CERT_HAS_EXPIRED: "certificate_expired",
  CERT_NOT_YET_VALID: "certificate_not_yet_valid",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate_wrong_name",
  HOSTNAME_MISMATCH: "certificate_wrong_name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate_self_signed",
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

  ERR_SSL_WRONG_VERSION_NUMBER: "not_tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "not_tls",
  ERR_SSL_HTTP_REQUEST: "not_tls",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "tls_version",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "tls_version",
  ERR_SSL_VERSION_TOO_LOW: "tls_version",

  HPE_HEADER_OVERFLOW: "head_too_large",
};

export type Stage = "connect" | "tls" | "answer";

const otherwise: Record<Stage, EgressFailure> = {
  connect: "unreachable",
  tls: "tls_failed",
  answer: "closed_early",
};

/** By the code alone: messages differ between versions. */
export function failureOf(error: Error, stage: Stage): EgressFailure {
  const code = errorCode(error) ?? "";
  const known = byCode[code];
  if (known) return known;
  return code.startsWith("HPE_") ? "not_http" : otherwise[stage];
}
