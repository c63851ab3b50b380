/**
 * Where to go after signing in: only ever a page of ours. Takes the path in an address or a cookie and returns a path
 * with query and fragment, or "/" for anything that could lead elsewhere (another origin, `//host`, `/\host`,
 * `https:host`). Shared with the browser.
 */
export function safeRedirectPath(wanted: string | null | undefined, origin: string): string {
  if (!wanted || !URL.canParse(wanted, origin)) return "/";
  const url = new URL(wanted, origin);
  // One slash: without its origin, a path with two begins with a host name, and the path of a `blob:` address of our
  // origin begins with none.
  if (url.origin !== origin || !/^\/(?!\/)/.test(url.pathname)) return "/";
  // Not a page, or the sign-in page itself.
  if (/^\/(api|sign-in)(\/|$)/.test(url.pathname)) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
