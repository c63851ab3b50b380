import { errorCode } from "@/lib/platform/runtime/error-code";
/**
 * A finding of the configuration check, for the operator: its subject, and what to do. `stops`: Gancho would not start;
 * `fails`: it would start, and part of it would not work; `note`: nothing is wrong, but it is worth knowing.
 */
export type Finding = { standing: "ok" | "note" | "fails" | "stops"; about: string; says: string };

export function finding(standing: Finding["standing"], about: string, says: string): Finding {
  return { standing, about, says };
}

/** Describes an error of the network or of TLS, without the address or anything that was sent. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return reasonFor(errorCode(error) ?? "");
}

/** The same by Node's code of it. The words follow a host or an address. */
export function reasonFor(code: string): string {
  return reasons()[code] ?? (code === "" ? "failed" : `failed (${code})`);
}

export function isKnownReason(code: string): boolean {
  return reasons()[code] !== undefined;
}

const untrusted =
  "has a certificate that nobody vouches for whom Node trusts: set NODE_EXTRA_CA_CERTS to the file of your authority (in .env it is too late)";
const silent = "does not answer: check the address, and what a firewall lets through";

const reasons = (): Partial<Record<string, string>> => ({
  ECONNREFUSED: "cannot be reached: nothing listens there",
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
  ETIMEDOUT: silent,
  UND_ERR_CONNECT_TIMEOUT: silent,
  UND_ERR_HEADERS_TIMEOUT: silent,
  ECONNRESET: "closed the connection: check the address and the port",
  ENOTFOUND: "has a host name that was not found: check the address, and this machine's DNS",
  EAI_AGAIN: "has a host name that was not found: check the address, and this machine's DNS",
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  CERT_NOT_YET_VALID: "has a certificate that is not valid yet: check both clocks",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another name: check the address",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
});
