import { trustedTypesPolicy } from "@/lib/platform/http/client/trusted-types";

/**
 * The policy of one answer: runs, loads and frames only what carries this answer's nonce or comes from our origin. In
 * development the framework compiles with eval and injects its styles on each edit; never in production.
 */
export function contentSecurityPolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // No string becomes a script or markup, except what trusted-types.ts allows.
    ...(development
      ? []
      : ["require-trusted-types-for 'script'", `trusted-types ${trustedTypesPolicy}`]),
  ].join("; ");
}

/** The nonce of the current page, from the request's policy, which pageProxy set. */
export function nonceIn(headers: Headers): string | undefined {
  return /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
}
