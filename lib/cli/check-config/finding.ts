import { errorCode } from "@/lib/platform/runtime/error-code";
import { networkErrorOf, type NetworkError } from "@/lib/platform/runtime/network-error";

/**
 * A finding of the configuration check, for the operator: its subject, and what to do. `stops`: Gancho would not start;
 * `fails`: it would start, and part of it would not work; `note`: nothing is wrong, but it is worth knowing.
 */
export type Finding = { standing: "ok" | "note" | "fails" | "stops"; about: string; says: string };

export function finding(standing: Finding["standing"], about: string, says: string): Finding {
  return { standing, about, says };
}

const untrusted =
  "has a certificate that nobody vouches for whom Node trusts: set NODE_EXTRA_CA_CERTS to the file of your authority (in .env it works for a release alone)";
const silent = "does not answer: check the address, and what a firewall lets through";

/** The words follow a host or an address. */
export const reasons: Record<NetworkError, string> = {
  refused: "cannot be reached: nothing listens there",
  unreachable: silent,
  timed_out: silent,
  name_not_found: "has a host name that was not found: check the address, and this machine's DNS",
  certificate_expired: "has a certificate that has expired",
  certificate_not_yet_valid: "has a certificate that is not valid yet: check both clocks",
  certificate_wrong_name: "has a certificate for another name: check the address",
  certificate_self_signed: untrusted,
  certificate_untrusted: untrusted,
};

/** Describes an error of the network or of TLS, without the address. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof Error && error.name === "AbortError") return reasons.timed_out;
  const code = errorCode(error) ?? "";
  const known = networkErrorOf(code);
  return known ? reasons[known] : `failed (${code})`;
}
