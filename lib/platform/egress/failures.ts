/** Why nothing was sent, or why there is no answer. Each has words in the message catalogue. */
export const egressFailures = [
  // Before anything leaves.
  "bad_address",
  "bad_port",
  "name_not_found",
  "name_failed",
  "not_public",
  "denied",
  // On the way there.
  "refused",
  "unreachable",
  "connect_timeout",
  "proxy_failed",
  "proxy_refused",
  // While TLS is agreed on.
  "certificate_expired",
  "certificate_not_yet_valid",
  "certificate_wrong_name",
  "certificate_self_signed",
  "certificate_untrusted",
  "tls_version",
  "not_tls",
  "tls_timeout",
  "tls_failed",
  // After the request was sent.
  "no_answer",
  "closed_early",
  "head_too_large",
  "not_http",
] as const;

export type EgressFailure = (typeof egressFailures)[number];

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
  const code = "code" in error ? String(error.code) : "";
  const known = byCode[code];
  if (known) return known;
  return code.startsWith("HPE_") ? "not_http" : otherwise[stage];
}
