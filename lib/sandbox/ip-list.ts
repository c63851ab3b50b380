import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
export type IpRange = { network: IpAddress; prefix: number };

/**
 * Reads one address as a socket or a proxy writes it. An IPv4 caller on a dual-stack socket
 * (`::ffff:192.0.2.1`) is the IPv4 caller it is; the zone of a link-local address says nothing about who calls.
 * Octal, hexadecimal and shortened IPv4 forms are no addresses here: null.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const [address = ""] = text.split("%", 1);
  return isIP(address) === 0 ? null : ipaddr.process(address);
}

/** Reads an address (`192.0.2.1`) or a CIDR range (`192.0.2.0/24`, `2001:db8::/32`) of an allow list; null if it is neither. */
export function parseIpRange(text: string): IpRange | null {
  const slash = text.indexOf("/");
  const written = slash === -1 ? text : text.slice(0, slash);
  if (isIP(written) === 0 || written.includes("%")) return null;
  const address = ipaddr.parse(written);
  const bits = address.kind() === "ipv4" ? 32 : 128;
  const prefix = slash === -1 ? bits : parsePrefix(text.slice(slash + 1), bits);
  if (prefix === null) return null;
  // Callers are compared as IPv4 where they are IPv4, so a range of mapped addresses must be, too.
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= 96) {
    return { network: address.toIPv4Address(), prefix: prefix - 96 };
  }
  return { network: address, prefix };
}

function parsePrefix(text: string, bits: number): number | null {
  if (!/^(0|[1-9]\d{0,2})$/.test(text)) return null;
  const prefix = Number(text);
  return prefix <= bits ? prefix : null;
}

/** Whether an address lies in one of the ranges. An unknown address (null) lies in none. */
export function isListed(address: IpAddress | null, ranges: readonly IpRange[]): boolean {
  return (
    address !== null &&
    ranges.some(
      ({ network, prefix }) =>
        network.kind() === address.kind() && address.match([network, prefix]),
    )
  );
}
