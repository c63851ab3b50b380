import "server-only";
import ipaddr from "ipaddr.js";

/**
 * The networks in which one caller can choose addresses, the smallest first, for counts by client address. `network`:
 * an IPv4 address, or the /64 of an IPv6 host. `site`: the /48 of a site, in which a caller can use 65,536 networks
 * (RFC 6177); null for IPv4.
 */
export function networksOf(address: string | null): { network: string; site: string | null } {
  if (address === null) return { network: "unknown", site: null };
  if (!ipaddr.isValid(address)) return { network: address, site: null };
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return { network: parsed.toString(), site: null };
  const groups = parsed.toNormalizedString().split(":");
  const prefix = (length: number) => `${groups.slice(0, length / 16).join(":")}::/${length}`;
  return { network: prefix(64), site: prefix(48) };
}
