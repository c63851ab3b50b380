import { checkCallbackUrl } from "./callback-url";
import { linesOf, withoutUnseen } from "./hidden-characters";
import { parseUrl } from "./parse-url";

/**
 * The address that was probably meant, for a URL that the rule refuses: without what cannot be seen, its lines joined,
 * trimmed, with https, a host in ASCII and a percent-encoded path. It is offered, never put in place of what was written.
 * Undefined where nothing sensible passes the rule.
 */
export function suggestCallbackUrl(raw: string): string | undefined {
  const written = withHttps(linesOf(withoutUnseen(raw)).join(""));
  if (written === undefined) return undefined;
  const end = written.search(/[/?#\\]/);
  const authority = end === -1 ? written : written.slice(0, end);
  const rest = end === -1 ? "" : written.slice(end);

  const host = asciiAuthority(authority);
  const path = percentEncoded(rest.split("#", 1)[0] ?? "");
  if (host === undefined || path === undefined) return undefined;
  const suggestion = `https://${host}${path}`;
  return suggestion !== raw && checkCallbackUrl(suggestion).ok ? suggestion : undefined;
}

/** What follows the scheme; a scheme other than http is not ours to reinterpret. */
function withHttps(text: string): string | undefined {
  const scheme = /^https?:[/\\]*/i.exec(text);
  if (scheme) return text.slice(scheme[0].length);
  const looksLikeHost = /^[^\s/?#@:\\]+\.[^\s/?#@:\\]+(?::\d+)?(?:[/?#\\]|$)/.test(text);
  return looksLikeHost ? text : undefined;
}

function asciiAuthority(authority: string): string | undefined {
  const withoutUser = authority.slice(authority.lastIndexOf("@") + 1);
  const withoutDot = withoutUser.replace(/\.(?=:\d*$|$)/, "");
  if (checkCallbackUrl(`https://${withoutDot}`).ok) return withoutDot;
  // A parser would drop some spaces; what stood around them may be two addresses.
  if (/\s/.test(withoutDot)) return undefined;
  return parseUrl(`https://${withoutDot}`)?.host;
}

function percentEncoded(rest: string): string | undefined {
  try {
    return rest.replace(/[^\x21-\x7e]+|[\\"<>^{|}`]/g, encodeURIComponent);
  } catch {
    // Half of a surrogate pair has no encoding.
    return undefined;
  }
}
