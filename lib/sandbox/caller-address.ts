import { isListed, parseIpAddress, type IpAddress, type IpRange } from "./ip-list";

/**
 * The address a request comes from: the socket's. `X-Forwarded-For` counts only as far as trusted proxies wrote it: it
 * is read from its end, where the nearest proxy appends, and never past the first address that is not a trusted proxy,
 * because the caller may have written everything before that. null if an address cannot be read; it is then on no list.
 */
export function callerAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: readonly IpRange[],
): IpAddress | null {
  let address = parseIpAddress(socketAddress ?? "");
  const hops = forwardedFor?.split(",").map((hop) => hop.trim()) ?? [];
  while (hops.length > 0 && isListed(address, trustedProxies)) {
    address = parseIpAddress(hops.pop() ?? "");
  }
  return address;
}
