import { limits } from "@/lib/platform/payment-service/contract/terms";
import {
  hasInvisible,
  hasLineBreak,
  hasLookAlike,
  splitLines,
  withoutInvisible,
} from "@/lib/platform/http/model/hidden-characters";
import { placeholdersIn } from "@/lib/platform/secrets/model/stand-in";

/** Why a callback URL cannot be sent to the payment service; each has words in the message catalogue. */
export const callbackUrlProblems = [
  "required",
  "two_addresses",
  "placeholder",
  "invisible_character",
  "line_break",
  "surrounding_space",
  "too_long",
  "not_https",
  "space",
  "not_ascii",
  "fragment",
  "forbidden_character",
  "user_info",
  "bad_host",
  "trailing_dot",
  "bad_port",
  "disguised_host",
] as const;

export type CallbackUrlProblem = (typeof callbackUrlProblems)[number];

type CallbackUrlCheck =
  { ok: true; origin: string; hostname: string } | { ok: false; code: CallbackUrlProblem };

/**
 * The rule for `url` (docs/contract.md § 2.3 and 8: at most 255 characters, starts with `https://`), judged on the raw
 * string, because the raw string is what is sent. "Characters" are taken to be printable ASCII.
 *
 * The same file decides in the browser and on the server. It does not say whether the host may be called:
 * see callback-target.ts.
 */
export function checkCallbackUrl(raw: string): CallbackUrlCheck {
  const refused = (code: CallbackUrlProblem): CallbackUrlCheck => ({ ok: false, code });

  const trimmed = raw.trim();
  if (trimmed === "") return refused("required");
  // Before any rule whose error would say how to go on with what was not meant.
  if (hasTwoAddresses(raw)) return refused("two_addresses");
  if (placeholdersIn(raw).length > 0) return refused("placeholder");
  // First, so that the error names invisible characters, which nobody could find otherwise.
  if (hasInvisible(raw)) return refused("invisible_character");
  if (hasLineBreak(raw)) return refused("line_break");
  if (trimmed !== raw) return refused("surrounding_space");
  if (raw.length > limits.callbackUrl) return refused("too_long");
  if (!raw.startsWith("https://")) return refused("not_https");
  if (/\s/.test(raw)) return refused("space");
  if (!/^[\x21-\x7e]+$/.test(raw)) return refused("not_ascii");
  if (raw.includes("#")) return refused("fragment");
  if (/[\\"<>^{|}`]/.test(raw)) return refused("forbidden_character");

  const authority = writtenAuthority(raw);
  if (authority.includes("@")) return refused("user_info");
  const { host, port } = splitPort(authority);
  if (host === "") return refused("bad_host");
  if (host.endsWith(".")) return refused("trailing_dot");
  if (!/^\d*$/.test(port) || Number(port) > 65_535 || (port !== "" && Number(port) === 0)) {
    return refused("bad_port");
  }
  return checkHost(host.toLowerCase(), port);
}

/** One behind the other, or a scheme behind a scheme. A query may well contain another address. */
function hasTwoAddresses(raw: string): boolean {
  const text = splitLines(withoutInvisible(raw)).join(" ");
  return /^https?:[/\\]*https?:[/\\]|\S\s+https?:[/\\]{2}/i.test(text);
}

/** The text between `https://` and the path or query. */
function writtenAuthority(raw: string): string {
  return raw.slice("https://".length).split(/[/?]/, 1)[0] ?? "";
}

function splitPort(authority: string): { host: string; port: string } {
  const colon = authority.lastIndexOf(":");
  // The last colon of a bare `[::1]` stands inside the brackets.
  if (colon === -1 || colon < authority.lastIndexOf("]")) return { host: authority, port: "" };
  return { host: authority.slice(0, colon), port: authority.slice(colon + 1) };
}

/**
 * A host that a parser reads as another one was made to deceive, or will be read differently elsewhere. Parsers
 * disagree on two things, so these stay as written: whether an `xn--` label decodes to an allowed name (it depends on
 * the version of Unicode), and `*` (Chromium makes it `%2A`).
 */
function checkHost(host: string, port: string): CallbackUrlCheck {
  // Parsers always rewrite percent-encoded characters, and an IPv4 tail of an IPv6 address.
  if (/%|^\[.*\./.test(host)) return { ok: false, code: "disguised_host" };
  const agreed = host.replaceAll("xn--", "xn00").replaceAll("*", "~");
  if (!URL.canParse(`https://${agreed}`)) return { ok: false, code: "bad_host" };
  if (new URL(`https://${agreed}`).hostname !== agreed)
    return { ok: false, code: "disguised_host" };
  const portOfOrigin = port === "" || Number(port) === 443 ? "" : `:${Number(port)}`;
  return { ok: true, origin: `https://${host}${portOfOrigin}`, hostname: host };
}

/**
 * The probable address behind a URL that the rule refuses: without invisible characters, its lines joined, trimmed,
 * with https, a host in ASCII and a percent-encoded path. It leads where the written one would lead, and never replaces
 * it unasked. Undefined where nothing sensible passes the rule, and where only the writer knows what was meant: two
 * addresses, a placeholder, a dash or space of a phone's keyboard.
 */
export function suggestCallbackUrl(raw: string): string | undefined {
  const text = splitLines(withoutInvisible(raw)).join("");
  const isUnclear = hasTwoAddresses(raw) || placeholdersIn(text).length > 0 || hasLookAlike(text);
  const written = isUnclear ? undefined : withHttps(text);
  if (written === undefined) return undefined;
  const end = written.search(/[/?#\\]/);
  const authority = end === -1 ? written : written.slice(0, end);
  const rest = end === -1 ? "" : written.slice(end);

  const host = asciiAuthority(authority);
  const path = percentEncoded(rest.split("#", 1)[0] ?? "");
  if (host === undefined || path === undefined) return undefined;
  const suggestion = `https://${host}${path}`;
  const leadsThere = targetOf(suggestion) === targetOf(`https://${written}`);
  return suggestion !== raw && leadsThere && checkCallbackUrl(suggestion).ok
    ? suggestion
    : undefined;
}

/** Where an HTTP client sends a message for this address: host, path and query. */
function targetOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname, search } = new URL(url);
  return percentEncoded(`${host.replace(/\.(?=:|$)/, "")}${pathname}${search}`);
}

/** The part after the scheme; only http may be reinterpreted. */
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
  // A parser would drop some spaces, but the text may be two addresses.
  if (/\s/.test(withoutDot)) return undefined;
  return URL.canParse(`https://${withoutDot}`) ? new URL(`https://${withoutDot}`).host : undefined;
}

function percentEncoded(rest: string): string | undefined {
  try {
    return rest.replace(/[^\x21-\x7e]+|[\\"<>^{|}`]/g, encodeURIComponent);
  } catch {
    // Half of a surrogate pair has no encoding.
    return undefined;
  }
}

/** What looks like a placeholder, as written, also where an address may contain it: `%7Bid%7D`, `/:id`. */
export function addressPlaceholders(url: string): string[] {
  const decoded = url.replace(/%(?:7b|7d|3c|3e)/gi, decodeURIComponent);
  const segments = url.match(/(?<=\/):[a-z_]+(?=[/?]|$)/gi) ?? [];
  return [...placeholdersIn(decoded), ...segments];
}

/** Null for an address that the rule refuses, which the service may still hold: it equals no other. */
export function originOf(url: string): string | null {
  const check = checkCallbackUrl(url);
  return check.ok ? check.origin : null;
}
