import * as z from "zod";
import { clientAddressHeader } from "@/lib/platform/http/model/request-context";
import type { IncomingMessage } from "node:http";
import { callerAddress } from "./forwarded-address";

/**
 * What a caller must not be able to say: who it is and how it came, where the framework would believe it, which trace its
 * request belongs to and whether that is recorded, and the headers by which parts of the framework speak to one another.
 */
const dropped =
  /^(x-forwarded-.*|forwarded|x-real-ip|x-client-ip|true-client-ip|x-gancho-.*|x-middleware-.*|x-invoke-.*|x-matched-path|x-now-.*|x-vercel-.*|x-nonce|content-security-policy.*|x-original-url|traceparent|tracestate|baggage|x-rewrite-url|x-http-method-override)$/;

const routerState = "next-router-state-tree";

/** Removes those headers and adds the one by which the rest of the process learns who calls. */
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

/** What the framework's own pages send of where they are; further members are theirs to judge. */
const tree: z.ZodType = z.lazy(() =>
  z.tuple([segment, z.record(z.string(), tree)]).rest(z.unknown()),
);

/**
 * Whether a `next-router-state-tree` header can be read. The framework fails over one that cannot, as if the fault were
 * its own; without the header it answers with the whole page.
 */
function isRouterState(header: string): boolean {
  try {
    return tree.safeParse(JSON.parse(decodeURIComponent(header))).success;
  } catch {
    return false;
  }
}
