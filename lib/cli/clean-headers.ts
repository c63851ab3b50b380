import * as z from "zod";
import { clientAddressHeader } from "@/lib/platform/http/model/request-context";
import type { IncomingMessage } from "node:http";
import { callerAddress } from "./forwarded-address";

/**
 * Headers that a caller must not set: those by which the framework believes who calls and how, those of traces and
 * whether they are recorded, and those by which parts of the framework talk to each other.
 */
const dropped =
  /^(x-forwarded-.*|forwarded|x-real-ip|x-client-ip|true-client-ip|x-gancho-.*|x-middleware-.*|x-invoke-.*|x-matched-path|x-now-.*|x-vercel-.*|x-nonce|content-security-policy.*|x-original-url|traceparent|tracestate|baggage|x-rewrite-url|x-http-method-override)$/;

const routerState = "next-router-state-tree";

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
  if (address !== null) request.headers[clientAddressHeader] = address;
}

const segment = z.union([
  z.string(),
  z.tuple([z.string(), z.string(), z.string(), z.nullable(z.array(z.string()))]),
]);

/** The state that the framework's pages send; it validates further members itself. */
const tree: z.ZodType = z.lazy(() =>
  z.tuple([segment, z.record(z.string(), tree)]).rest(z.unknown()),
);

/**
 * Whether a `next-router-state-tree` header is valid. For an invalid one the framework answers 500; without the header
 * it answers with the whole page.
 */
function isRouterState(header: string): boolean {
  try {
    return tree.safeParse(JSON.parse(decodeURIComponent(header))).success;
  } catch {
    return false;
  }
}
