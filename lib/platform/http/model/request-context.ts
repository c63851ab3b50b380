/**
 * The header in which Gancho's server passes on the caller's address: it removes what callers sent under this name, so
 * inside the process it can be trusted.
 */
export const clientAddressHeader = "x-gancho-client-address";

/**
 * The header of a request that an open page sends by itself, while nobody touches it: it does not count as use of the
 * session. Forging it only ends one's own session sooner. Its name has no `x-gancho-`, because the server removes all
 * headers that do.
 */
export const idlePageHeader = "x-idle-page";

/**
 * The header in which a page's mutation names the person for whom the page was drawn. It gives no rights: the session
 * does.
 */
export const signedInAsHeader = "x-signed-in-as";

/** The caller's IP address, or null outside Gancho's server. */
export function clientAddress(headers: Headers): string | null {
  return headers.get(clientAddressHeader);
}

/** The request of an action, and its origin; goes into the history. */
export type RequestContext = {
  requestId: string;
  clientAddress: string | null;
  /** When it had arrived, on `performance.now()`; left out: now. Deadlines count from here. */
  arrivedAt?: number;
};

/** The same for a sign-in, and its browser. */
export type SignInContext = {
  /** null where no request is behind it. */
  requestId: string | null;
  clientAddress: string | null;
  userAgent: string | null;
  /** The language of the sign-in page; none where no request is behind it. */
  locale?: string;
};
