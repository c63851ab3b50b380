/**
 * Where to go after signing in: only ever a page of ours. Takes what an address or a cookie said and gives a path with
 * query and fragment, or "/" for anything that could lead elsewhere (another origin, `//host`, `/\host`, `https:host`).
 * A leaf that the browser shares.
 */
export function safeRedirectPath(wanted: string | null | undefined, origin: string): string {
  if (!wanted || !URL.canParse(wanted, origin)) return "/";
  const url = new URL(wanted, origin);
  // One slash: what starts with two is a host name to whoever reads it without its origin, and what a `blob:` address of
  // our origin has for a path starts with none.
  if (url.origin !== origin || !/^\/(?!\/)/.test(url.pathname)) return "/";
  // Not a page, or the page that is asking.
  if (/^\/(api|sign-in)(\/|$)/.test(url.pathname)) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
