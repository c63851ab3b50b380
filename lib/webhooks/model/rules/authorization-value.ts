import {
  hasInvisible,
  hasLineBreak,
  plainForm,
  splitLines,
  withoutInvisible,
} from "@/lib/platform/http/model/hidden-characters";
import { limits } from "@/lib/platform/payment-service/contract/terms";
import { isMasked, standInFor } from "@/lib/platform/secrets/model/stand-in";

/** Why a value cannot be set as the Authorization header; each has words in the message catalogue. */
export const authorizationProblems = [
  "required",
  "masked",
  "placeholder",
  "scheme_alone",
  "invisible_character",
  "line_break",
  "surrounding_space",
  "too_long",
  "not_printable",
] as const;

type AuthorizationProblem = (typeof authorizationProblems)[number];

/** Why a value is probably a mistake. A receiver may expect it all the same, so the person is asked. */
export const authorizationDoubts = [
  "header_name",
  "quoted",
  "scheme_twice",
  "word_for_secret",
] as const;

export type AuthorizationDoubt = (typeof authorizationDoubts)[number];

/** `suggestion`: what was probably meant. It passes the same check, without a doubt. */
type AuthorizationCheck =
  | { ok: true; warnings: AuthorizationDoubt[]; suggestion?: string }
  | { ok: false; code: AuthorizationProblem; suggestion?: string };

/**
 * The rule for `authorization` (docs/contract.md § 2.3 and 8: at most 100 characters), taken to be printable ASCII
 * without a space at either end, as an HTTP field value is. What stands for a secret is refused: saved, it would lock the partner's
 * receiver out.
 */
export function checkAuthorizationValue(value: string): AuthorizationCheck {
  const refused = (code: AuthorizationProblem): AuthorizationCheck => ({
    ok: false,
    code,
    ...suggested(value),
  });
  if (value.trim() === "") return refused("required");
  if (value.length > longest) return { ok: false, code: "too_long" };
  const written = plainForm(withoutInvisible(value)).trim();
  const bare = written.replace(/(^|\s)(["'`])(.+)\2$/, "$1$3");
  const { secret } = unwrapped(bare);
  const standIn = isMasked(bare) ? "masked" : standInFor(secret);
  if (standIn === "masked" || standIn === "placeholder") return refused(standIn);
  if (loneScheme.test(secret)) return refused("scheme_alone");
  if (hasInvisible(value)) return refused("invisible_character");
  if (hasLineBreak(value)) return refused("line_break");
  if (value.trim() !== value) return refused("surrounding_space");
  if (value.length > limits.authorization) return refused("too_long");
  if (!isHeaderText(value)) return refused("not_printable");
  const { doubt } = unwrapped(written);
  const warning = doubt ?? (standIn === "word" ? "word_for_secret" : null);
  return warning === null
    ? { ok: true, warnings: [] }
    : { ok: true, warnings: [warning], ...suggested(value) };
}

/** Why a value that the rule accepts is asked about; null where it is not, or is refused. */
export function doubtAbout(value: string): AuthorizationDoubt | null {
  const check = checkAuthorizationValue(value);
  return (check.ok ? check.warnings[0] : null) ?? null;
}

/** In characters: what is longer is judged by its length alone. */
const longest = 10 * limits.authorization;

/** Whether a value, which the service may hold although it could not be saved here, can be sent as a header. */
export function isSendable(value: string): boolean {
  return value.trim() === value && value !== "" && isHeaderText(value);
}

function isHeaderText(value: string): boolean {
  return /^[\x20-\x7e]+$/.test(value);
}

/** The one value that was probably meant. Lines are not joined: they may be two values, and a header has one line. */
function suggested(value: string): { suggestion?: string } {
  const lines = splitLines(withoutInvisible(value));
  const [line = ""] = lines;
  const { meant } = unwrapped(plainForm(line).trim());
  if (lines.length !== 1 || meant === null || meant === value) return {};
  const check = checkAuthorizationValue(meant);
  return check.ok && check.warnings.length === 0 ? { suggestion: meant } : {};
}

const schemes = "basic|bearer|digest|dpop|hmac|jwt|negotiate|oauth|token|apikey|api-key";
const loneScheme = /^(?:basic|bearer|digest|dpop|negotiate|oauth)$/i;
/** Around nothing but a scheme and a token: a value may begin and end with a quotation mark of its own. */
const quoted = /^(["'`])([\w.~+/= -]+)\1$/;
/** What documents and programs put around a value, from the outside in. */
const wrappings: [AuthorizationDoubt, pattern: RegExp, meant: string | null][] = [
  ["header_name", /^(["']?)authorization\1\s*[:=]\s*/i, ""],
  ["quoted", quoted, "$2"],
  ["scheme_twice", new RegExp(`^(${schemes})\\s+(?=\\1\\s+\\S)`, "i"), ""],
  // Which of them is meant?
  ["scheme_twice", new RegExp(`^(?:${schemes})\\s+(?=(?:${schemes})\\s+\\S)`, "i"), null],
];

type Unwrapped = {
  /** Without its scheme. */
  secret: string;
  doubt: AuthorizationDoubt | null;
  /** null where that is not clear. */
  meant: string | null;
};

function unwrapped(value: string): Unwrapped {
  for (const [doubt, pattern, meant] of wrappings) {
    const inner = value.replace(pattern, meant ?? "");
    if (inner === value) continue;
    const rest = unwrapped(inner);
    return { ...rest, doubt, meant: meant === null ? null : rest.meant };
  }
  const [scheme = ""] = /^[a-z][a-z-]*\s+(?=\S)/i.exec(value) ?? [];
  const secret = value.slice(scheme.length);
  const bare = secret.replace(quoted, "$2");
  if (scheme === "" || bare === secret) return { secret, doubt: null, meant: value };
  return { secret: bare, doubt: "quoted", meant: scheme + bare };
}

/** A new value for the Authorization header: 256 random bits in base64url, 50 characters in all. */
export function generateAuthorization(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const base64 = btoa(String.fromCharCode(...bytes));
  return `Bearer ${base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}
