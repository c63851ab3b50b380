import { cloudRanges } from "@/lib/platform/egress/model/cloud-ranges";

/** How far a host reaches, by its name alone: without DNS. */
type HostReach =
  /** A name that public DNS can hold. Its address is not known here. */
  | "public_name"
  /** A global unicast address literal. */
  | "public_address"
  /** Loopback, private, link-local, reserved for another use, or a name that only a local network answers. */
  | "private"
  /** Nothing that DNS could ever answer. */
  | "no_name";

/** `hostname` as the URL parser gives it: lower case, IPv4 in four decimals, IPv6 in brackets. */
export function hostReach(hostname: string): HostReach {
  if (hostname.startsWith("[")) return isGlobalV6(hostname) ? "public_address" : "private";
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) {
    return isSpecialV4(v4Number(hostname)) ? "private" : "public_address";
  }
  return nameReach(hostname);
}

/**
 * Suffixes that never resolve outside one's own network: RFC 6761, 6762 (with appendix G), 8375, ICANN's `internal`.
 */
const localSuffixes = new Set(
  "localhost localdomain local internal intranet private corp home lan home.arpa".split(" "),
);

function nameReach(name: string): HostReach {
  const labels = name.split(".");
  // Underscores are no part of host names but are found in DNS.
  if (name.length > 253 || !labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label)))
    return "no_name";
  // A single label is completed with a local search domain: the service would reach another host than the writer.
  if (labels.length === 1) return "private";
  const lastTwo = labels.slice(-2).join(".");
  return localSuffixes.has(labels.at(-1) ?? "") || localSuffixes.has(lastTwo)
    ? "private"
    : "public_name";
}

/** The IANA IPv4 special-purpose registry, whole, multicast, and what only a cloud's own machines reach. */
const specialV4 = [
  ...(
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
    "192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 " +
    "198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
  ).split(" "),
  ...cloudRanges,
].map((range) => {
  const [address = "", bits = ""] = range.split("/");
  return { first: v4Number(address), size: 2 ** (32 - Number(bits)) };
});

function isSpecialV4(address: number): boolean {
  return specialV4.some(({ first, size }) => address >= first && address < first + size);
}

function v4Number(address: string): number {
  return address.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

/**
 * Within 2000::/3, which is used for global unicast, the IANA IPv6 special-purpose registry: the protocol assignments
 * with Teredo in them, documentation, 6to4, AS112. Outside it are loopback, IPv4-mapped, NAT64, local, link-local and
 * multicast addresses. Each is the first 64 bits and a prefix length.
 */
const specialGlobalV6: readonly (readonly [groups: readonly number[], bits: number])[] = [
  [[0x2001, 0], 23],
  [[0x2001, 0x0db8], 32],
  [[0x2002], 16],
  [[0x2620, 0x004f, 0x8000], 48],
  [[0x3fff, 0], 20],
];

function isGlobalV6(hostname: string): boolean {
  const address = v6Prefix(hostname.slice(1, -1));
  const within = (groups: readonly number[], bits: number) => {
    const shift = BigInt(64 - bits);
    return address >> shift === prefixNumber(groups) >> shift;
  };
  return within([0x2000], 3) && !specialGlobalV6.some(([groups, bits]) => within(groups, bits));
}

/** The first 64 bits of an address in the parser's form, in which `::` stands for at least two groups of zeros. */
function v6Prefix(address: string): bigint {
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((g) => parseInt(g, 16)));
  const first = groups(head);
  const last = groups(tail ?? "");
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return prefixNumber([...first, ...zeros, ...last]);
}

function prefixNumber(groups: readonly number[]): bigint {
  return [0, 1, 2, 3].reduce((sum, index) => (sum << 16n) | BigInt(groups[index] ?? 0), 0n);
}
