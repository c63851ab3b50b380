import { isIP } from "node:net";

/**
 * Who called. Each of the `hops` proxies in front of us has appended the address it saw to X-Forwarded-For, so the
 * caller's is that many entries from the end; everything before it is the caller's own word. Without proxies, or where
 * the header is shorter than it should be, it is the address at the other end of the socket.
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
