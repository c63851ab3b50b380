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
  return isIP(address) === 0 ? null : asIpv4IfMapped(parse(address));
}

/** Expects an address. The dotted end of an IPv6 one is rewritten first: ipaddr.js takes `::192.0.2.1` for a mapped one. */
function parse(address: string): IpAddress {
  if (isIP(address) === 4) return ipaddr.parse(address);
  return ipaddr.parse(new URL(`http://[${address}]`).hostname.slice(1, -1));
}

function asIpv4IfMapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
    ? address.toIPv4Address()
    : address;
}

/** Reads an address (`192.0.2.1`) or a CIDR range (`192.0.2.0/24`, `2001:db8::/32`) of an allow list; null if it is neither. */
export function parseIpRange(text: string): IpRange | null {
  const slash = text.indexOf("/");
  const written = slash === -1 ? text : text.slice(0, slash);
  if (isIP(written) === 0 || written.includes("%")) return null;
  const address = parse(written);
  const bits = address.kind() === "ipv4" ? 32 : 128;
  const prefix = slash === -1 ? bits : parsePrefix(text.slice(slash + 1), bits);
  if (prefix === null) return null;
  // Callers are compared as IPv4 where they are IPv4, so a range of mapped addresses must be, too.
  const network = prefix >= 96 ? asIpv4IfMapped(address) : address;
  return { network, prefix: network === address ? prefix : prefix - 96 };
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
