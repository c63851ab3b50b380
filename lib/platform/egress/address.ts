import ipaddr from "ipaddr.js";
import { isIP } from "node:net";
import { cloudRanges } from "./model/cloud-ranges";

/** Names, each with everything below it, and addresses or ranges of them. */
export type HostList = {
  names: readonly string[];
  ranges: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];
};

/** Entries are host names, addresses or ranges (`198.51.100.0/24`), as in EGRESS_DENY. */
export function hostList(entries: readonly string[]): HostList {
  const isRange = (entry: string) => isIP(entry.split("/", 1)[0] ?? "") !== 0;
  return {
    names: entries.filter((entry) => !isRange(entry)).map(plainName),
    ranges: entries
      .filter(isRange)
      .map((entry) => {
        const [base = "", bits] = entry.split("/", 2);
        const address = parse(base);
        return address && ([address, Number(bits ?? address.toByteArray().length * 8)] as const);
      })
      .filter((range) => range !== null),
  };
}

export function listsName(name: string, { names }: HostList): boolean {
  const plain = plainName(name);
  return names.some((denied) => plain === denied || plain.endsWith(`.${denied}`));
}

export function listsAddress(text: string, { ranges }: HostList): boolean {
  const address = parse(text);
  if (!address) return true;
  const forms = [address, embeddedV4(address)];
  return ranges.some(([base, bits]) =>
    forms.some((form) => form?.kind() === base.kind() && form.match(base, bits)),
  );
}

/**
 * Whether an address is one of the public internet's: global unicast, in none of the IANA special-purpose registries,
 * and none that only a cloud's own machines reach. Judges an IPv4 address within an IPv6 one (mapped, or NAT64's
 * well-known prefix) as itself; refuses 6to4 and Teredo whatever they contain, since no public host is only reached by
 * them. Text that is no address is not public.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (!address) return false;
  const v4 = address instanceof ipaddr.IPv4 ? address : embeddedV4(address);
  if (v4) return v4.range() === "unicast" && !ofClouds.some((range) => v4.match(range));
  // ipaddr.js calls everything outside its known ranges "unicast", even unassigned space.
  return address.match(globalUnicast, 3) && address.range() === "unicast";
}

export function isLoopbackAddress(text: string): boolean {
  return parse(text)?.range() === "loopback";
}

const ofClouds = cloudRanges.map((range) => ipaddr.IPv4.parseCIDR(range));
const globalUnicast = ipaddr.parse("2000::");
const nat64 = ipaddr.parse("64:ff9b::");

function embeddedV4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | null {
  if (!(address instanceof ipaddr.IPv6)) return null;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(nat64, 96) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : null;
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const version = isIP(text);
  if (version === 4) return ipaddr.parse(text);
  // An address with a zone is local to this machine. The dotted end is rewritten first: ipaddr.js takes `::192.0.2.1`
  // for a mapped address.
  if (version === 6 && !text.includes("%"))
    return ipaddr.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
  return null;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/^\.+|\.+$/g, "");
}
