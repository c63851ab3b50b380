import { env } from "@/lib/platform/env/env";
import { pageProxy } from "@/lib/platform/http/page-proxy";
import type { NextRequest, NextResponse } from "next/server";

export function proxy(request: NextRequest): NextResponse {
  // The mode of the build, which the compiler puts in here: no variable can loosen the policy of a production build.
  return pageProxy(request, env().url, process.env.NODE_ENV === "development");
}

export const config = {
  // Files of the build and routes are no pages; whatever else is asked for may be answered with one. To look at a
  // request, the framework copies its body, and calls it a failure of its own when that does not come to its end.
  matcher:
    "/((?!_next/static/|api/|icons/(?:icon\\.svg|(?:icon-192|icon-512|icon-maskable|apple-touch-icon)\\.png)$|robots\\.txt$|\\.well-known/security\\.txt$|manifest\\.webmanifest$).*)",
};
