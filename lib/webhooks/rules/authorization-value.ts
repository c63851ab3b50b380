import { limits } from "@/lib/partner-api/contract/terms";

/** Why a value cannot be set as the Authorization header; each has words in the message catalogue. */
export const authorizationProblems = [
  "required",
  "masked",
  "too_long",
  "surrounding_space",
  "not_printable",
] as const;

export type AuthorizationProblem = (typeof authorizationProblems)[number];

/** `header_name`: the value repeats the name of the header it is put in. */
export type AuthorizationWarning = "header_name";

export type AuthorizationCheck =
  | { ok: true; warnings: AuthorizationWarning[] }
  | { ok: false; code: AuthorizationProblem; suggestion?: string };

/**
 * The rule for `authorization` (contract 2.3 and 8: at most 100 characters), taken to be printable ASCII without a
 * space at either end, as an HTTP field value is. A masked value is refused: it is what a screen shows in place of
 * the secret, and to save it would lock the partner's receiver out.
 */
export function checkAuthorizationValue(value: string): AuthorizationCheck {
  const trimmed = value.trim();
  if (trimmed === "") return { ok: false, code: "required" };
  if (isMasked(trimmed)) return { ok: false, code: "masked" };
  if (trimmed !== value) {
    return checkAuthorizationValue(trimmed).ok
      ? { ok: false, code: "surrounding_space", suggestion: trimmed }
      : { ok: false, code: "surrounding_space" };
  }
  if (value.length > limits.authorization) return { ok: false, code: "too_long" };
  if (!/^[\x20-\x7e]+$/.test(value)) return { ok: false, code: "not_printable" };
  return { ok: true, warnings: /^authorization\s*:/i.test(value) ? ["header_name"] : [] };
}

/** Dots, bullets, asterisks or a word in brackets, with or without a scheme before it; or a fingerprint of ours. */
export function isMasked(value: string): boolean {
  const secret = value.replace(/^[A-Za-z][A-Za-z-]*\s+(?=\S)/, "");
  return (
    /^[*•●○·∙․‧⋅…⁎∗＊.\s]+$/u.test(secret) ||
    /^[[(<{](?:secret|redacted|masked|hidden|filtered|removed)[\])>}]$/i.test(secret) ||
    /^fp [0-9a-f]{4} ?[0-9a-f]{4}$/i.test(value)
  );
}
