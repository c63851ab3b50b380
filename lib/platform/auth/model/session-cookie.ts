/**
 * The cookie that carries the session. On https its name starts with `__Host-`, so that a browser takes it only from
 * this very host, over TLS and for every path: no sibling host can plant one. The proxy imports it too.
 */
export function sessionCookieName(secure: boolean): string {
  return cookieName("session", secure);
}

/** Names of the sign-in's other cookies follow the same rule. */
export function cookieName(
  purpose: "session" | "device" | "code" | "passkey",
  secure: boolean,
): string {
  return `${secure ? "__Host-" : ""}gancho.${purpose}`;
}

/** What the browser keeps of one attempt at single sign-on until the provider answers. */
export const attemptCookies = ["state", "nonce", "pkce", "wanted"] as const;

/** Each attempt has cookies of its own, so that two tabs can be at the provider at once. */
export function attemptCookieName(
  purpose: (typeof attemptCookies)[number],
  attemptId: string,
  secure: boolean,
): string {
  return `${secure ? "__Host-" : ""}gancho.${purpose}.${attemptId}`;
}

/** The attempt that a cookie's name belongs to; null: none. */
export function attemptIdIn(cookie: string): string | null {
  return /^(?:__Host-)?gancho\.state\.(s?[0-9a-f]{12})$/.exec(cookie)?.[1] ?? null;
}
