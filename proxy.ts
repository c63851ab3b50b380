import { env } from "@/lib/platform/env/env";
import { pageProxy } from "@/lib/platform/http/page-proxy";
import type { NextRequest, NextResponse } from "next/server";

export function proxy(request: NextRequest): NextResponse {
  // The mode of the build, which the compiler inlines: no variable can loosen the policy of a production build.
  return pageProxy(request, env().url, process.env.NODE_ENV === "development");
}

export const config = {
  // Files of the build and routes are no pages; any other path may be answered with one. Before it calls this, the
  // framework copies the request's body, and reports one that breaks off as its own failure.
  matcher:
    "/((?!_next/static/|api/|in/|icons/(?:icon\\.svg|(?:icon-192|icon-512|icon-maskable|apple-touch-icon)\\.png)$|brand/[^/]+$|words/[^/]+$|robots\\.txt$|\\.well-known/security\\.txt$|manifest\\.webmanifest$).*)",
};
