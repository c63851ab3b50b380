import { limits } from "@/lib/platform/payment-service/contract/terms";
import { hasLineBreak, hasInvisible, splitLines, withoutInvisible } from "./hidden-characters";

/** Why a value cannot be set as the Authorization header; each has words in the message catalogue. */
export const authorizationProblems = [
  "required",
  "masked",
  "invisible_character",
  "line_break",
  "surrounding_space",
  "too_long",
  "not_printable",
] as const;

type AuthorizationProblem = (typeof authorizationProblems)[number];

/** `header_name`: the value repeats the name of the header it is put in. */
type AuthorizationWarning = "header_name";

type AuthorizationCheck =
  | { ok: true; warnings: AuthorizationWarning[] }
  | { ok: false; code: AuthorizationProblem; suggestion?: string };

/**
 * The rule for `authorization` (docs/contract.md § 2.3 and 8: at most 100 characters), taken to be printable ASCII
 * without a space at either end, as an HTTP field value is. A masked value is refused: a screen shows it in place of
 * the secret, and saving it would lock the partner's receiver out.
 */
export function checkAuthorizationValue(value: string): AuthorizationCheck {
  const trimmed = value.trim();
  if (trimmed === "") return { ok: false, code: "required" };
  if (isMasked(trimmed)) return { ok: false, code: "masked" };
  const lines = splitLines(withoutInvisible(value));
  // Lines are not joined: they may be two values, and a header has one line.
  const meant = lines.length === 1 ? lines[0] : undefined;
  if (hasInvisible(value)) return refusedFor("invisible_character", meant);
  if (hasLineBreak(value)) return refusedFor("line_break", meant);
  if (trimmed !== value) return refusedFor("surrounding_space", trimmed);
  if (value.length > limits.authorization) return { ok: false, code: "too_long" };
  if (!/^[\x20-\x7e]+$/.test(value)) return { ok: false, code: "not_printable" };
  return { ok: true, warnings: /^authorization\s*:/i.test(value) ? ["header_name"] : [] };
}

/** With the probable meaning, where that passes. */
function refusedFor(code: AuthorizationProblem, meant: string | undefined): AuthorizationCheck {
  return meant !== undefined && checkAuthorizationValue(meant).ok
    ? { ok: false, code, suggestion: meant }
    : { ok: false, code };
}

/**
 * Dots, bullets, asterisks or a word in brackets, with or without a scheme before it; or a fingerprint that Gancho
 * shows.
 */
export function isMasked(value: string): boolean {
  const secret = value.replace(/^[A-Za-z][A-Za-z-]*\s+(?=\S)/, "");
  return (
    /^[*•●○·∙․‧⋅…⁎∗＊.\s]+$/u.test(secret) ||
    /^[[(<{](?:secret|redacted|masked|hidden|filtered|removed)[\])>}]$/i.test(secret) ||
    /^fp [0-9a-f]{4} ?[0-9a-f]{4}$/i.test(value)
  );
}

/** A new value for the Authorization header: 256 random bits in base64url, 50 characters in all. */
export function generateAuthorization(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const base64 = btoa(String.fromCharCode(...bytes));
  return `Bearer ${base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}
