import { clientAddressHeader } from "@/lib/platform/http/model/request-context";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * Headers that a caller must not set: the framework takes the caller's address and protocol from some, and tracing and
 * its sampling from others, and uses the rest internally.
 */
const dropped =
  /^(x-forwarded-.*|forwarded|x-real-ip|x-client-ip|true-client-ip|x-gancho-.*|x-middleware-.*|x-invoke-.*|x-matched-path|x-now-.*|x-vercel-.*|x-nonce|content-security-policy.*|x-original-url|traceparent|tracestate|baggage|x-rewrite-url|x-http-method-override)$/;

const routerState = "next-router-state-tree";
const prefetch = "next-router-prefetch";

/** Removes those headers and adds the one that gives the rest of the process the caller's address. */
export function cleanHeaders(request: IncomingMessage, trustedProxyHops: number): void {
  const forwardedFor = request.headers["x-forwarded-for"];
  const address = callerAddress(
    request.socket.remoteAddress,
    Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor,
    trustedProxyHops,
  );
  for (const name of Object.keys(request.headers)) {
    if (dropped.test(name)) Reflect.deleteProperty(request.headers, name);
  }
  const state = request.headers[routerState];
  if (state !== undefined && !isRouterState(String(state)))
    Reflect.deleteProperty(request.headers, routerState);
  // Our pages ask for no other kind, and the framework would log each as an error.
  if (request.headers[prefetch] !== "1") Reflect.deleteProperty(request.headers, prefetch);
  if (address !== null) request.headers[clientAddressHeader] = address;
}

/** For an invalid state the framework answers 500; without the header it answers with the whole page. */
function isRouterState(header: string): boolean {
  try {
    parseAndValidateFlightRouterState(header);
    return true;
  } catch {
    return false;
  }
}

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
