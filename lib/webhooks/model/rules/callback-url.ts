import { limits } from "@/lib/platform/payment-service/contract/terms";
import { hasLineBreak, hasUnseen } from "./hidden-characters";
import { parseUrl } from "./parse-url";

/** Why a callback URL cannot be sent to the payment service; each has words in the message catalogue. */
export const callbackUrlProblems = [
  "required",
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

export type CallbackUrlCheck =
  { ok: true; origin: string; hostname: string } | { ok: false; code: CallbackUrlProblem };

/**
 * The rule for `url` (contract 2.3 and 8: at most 255 characters, starts with `https://`), judged on the raw
 * string, because the raw string is what is sent. "Characters" are taken to be printable ASCII.
 *
 * The same file decides in the browser and on the server. It does not say whether the host may be called:
 * see callback-target.ts.
 */
export function checkCallbackUrl(raw: string): CallbackUrlCheck {
  const refused = (code: CallbackUrlProblem): CallbackUrlCheck => ({ ok: false, code });

  const trimmed = raw.trim();
  if (trimmed === "") return refused("required");
  // First, by their names: of what cannot be seen, no other words would help.
  if (hasUnseen(raw)) return refused("invisible_character");
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

/** What stands between `https://` and the path or query. */
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
 * A host that a parser reads as another one than is written was made to deceive, or will be read differently
 * elsewhere. Parsers do not agree on two things, so these are kept from them and stay as they are written:
 * whether an `xn--` label decodes to an allowed name (it depends on the version of Unicode), and `*`
 * (Chromium makes it `%2A`).
 */
function checkHost(host: string, port: string): CallbackUrlCheck {
  // A percent-encoded character, and an IPv4 tail of an IPv6 address, are always read as something else.
  if (/%|^\[.*\./.test(host)) return { ok: false, code: "disguised_host" };
  const agreed = host.replaceAll("xn--", "xn00").replaceAll("*", "~");
  const parsed = parseUrl(`https://${agreed}`)?.hostname;
  if (parsed === undefined) return { ok: false, code: "bad_host" };
  if (parsed !== agreed) return { ok: false, code: "disguised_host" };
  const portOfOrigin = port === "" || Number(port) === 443 ? "" : `:${Number(port)}`;
  return { ok: true, origin: `https://${host}${portOfOrigin}`, hostname: host };
}
