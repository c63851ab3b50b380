/**
 * The header in which Gancho's own server passes on who called: it removes what callers sent under this name, so
 * inside the process it can be believed. A leaf.
 */
export const clientAddressHeader = "x-gancho-client-address";

/** The caller's IP address, or null outside Gancho's own server. */
export function clientAddress(headers: Headers): string | null {
  return headers.get(clientAddressHeader);
}

/** Which request somebody acts with, and from where; goes into the history. */
export type RequestContext = { requestId: string; clientAddress: string | null };

/** The same of who asks to be let in, and in which browser. */
export type SignInContext = {
  /** null where no request is behind it. */
  requestId: string | null;
  clientAddress: string | null;
  userAgent: string | null;
  /** The language in which the person was just asked to sign in; none where no request is behind it. */
  locale?: string;
};
