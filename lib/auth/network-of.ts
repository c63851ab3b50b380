import "server-only";
import ipaddr from "ipaddr.js";

/** What stands for one caller: an IPv4 address, or the /64 that an IPv6 host can choose its addresses from. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${parsed.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
}
