/**
 * The cookie that carries the session. On https its name starts with `__Host-`, so that a browser takes it only from
 * this very host, over TLS and for every path: no sibling host can plant one. The proxy imports it too.
 */
export function sessionCookieName(secure: boolean): string {
  return cookieName("session", secure);
}

/** Names of the sign-in's other cookies follow the same rule. */
export function cookieName(
  purpose:
    | "session"
    | "csrf"
    | "callback-url"
    | "state"
    | "nonce"
    | "pkce"
    | "device"
    | "code"
    | "passkey",
  secure: boolean,
): string {
  return `${secure ? "__Host-" : ""}gancho.${purpose}`;
}
