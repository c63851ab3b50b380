/** Why nothing was sent, or why there is no answer. Each has words in the message catalogue. */
export const egressFailures = [
  // Before anything is sent.
  "bad_address",
  "bad_port",
  "name_not_found",
  "name_failed",
  "not_public",
  "denied",
  // While connecting.
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
  // While TLS is agreed on, or after the request was sent.
  "client_certificate",
  // After the request was sent.
  "no_answer",
  "closed_early",
  "head_too_large",
  "not_http",
] as const;

export type EgressFailure = (typeof egressFailures)[number];
