import { isIP } from "node:net";

/**
 * The client's address. Each of the `hops` proxies in front of us appends the address it saw to X-Forwarded-For, so the
 * client's is that many entries from the end; the client itself may have written everything before it. Without proxies,
 * or where the header is too short, it is the socket's remote address.
 */
export function callerAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  hops: number,
): string | null {
  const entries = (forwardedFor ?? "").split(",").map((entry) => plainAddress(entry.trim()));
  const claimed = hops > 0 && entries.length >= hops ? entries[entries.length - hops] : null;
  return claimed ?? plainAddress(socketAddress ?? "");
}

/** Without port, brackets, zone or the IPv6 form of an IPv4 address; null for anything that is no address. */
function plainAddress(text: string): string | null {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, beforePort] = /^(\d+(?:\.\d+){3}):\d+$/.exec(text) ?? [];
  const bare = (bracketed ?? beforePort ?? text)
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(bare) ? bare : null;
}
