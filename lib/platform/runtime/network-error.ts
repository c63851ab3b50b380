/** The code of an error of Node, a driver or a library; undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

const codes = {
  ECONNREFUSED: "refused",
  ENETUNREACH: "unreachable",
  EHOSTUNREACH: "unreachable",
  ETIMEDOUT: "timed_out",

  ENOTFOUND: "name_not_found",
  EAI_AGAIN: "name_not_found",
  EAI_NODATA: "name_not_found",
  EAI_NONAME: "name_not_found",

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
} as const;

export type NetworkError = (typeof codes)[keyof typeof codes];

const byCode: Readonly<Record<string, NetworkError>> = codes;

/** What a code of Node (libuv, or OpenSSL's verification) means; messages differ between versions. */
export function networkErrorOf(code: string): NetworkError | null {
  return byCode[code] ?? null;
}
