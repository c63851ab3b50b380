/**
 * Why single sign-on did not work. The server tells the sign-in page by its address, and the page puts it into words
 * (`signIn.failed.singleSignOn`). A leaf that the browser shares.
 */
const failures = [
  /** Nobody here has this address, or is disabled: the same answer. */
  "not_invited",
  "email_not_verified",
  /** Invited was another address than the account's. */
  "other_address",
  /** The person is known here by another account at the provider. */
  "other_account",
  "provider_unreachable",
  /** What the provider says does not fit OIDC_ISSUER, OIDC_CLIENT_ID or OIDC_CLIENT_SECRET. */
  "misconfigured",
  "cancelled",
  /** Too late, a second time, or not begun in this browser. */
  "expired",
  "failed",
] as const;

export type SingleSignOnFailure = (typeof failures)[number];

export function isSingleSignOnFailure(code: string | null): code is SingleSignOnFailure {
  return failures.some((failure) => failure === code);
}

const prefix = "sso-";

export function singleSignOnCode(failure: SingleSignOnFailure): string {
  return `${prefix}${failure}`;
}

/** null for a code that is not about single sign-on. */
export function singleSignOnFailure(code: string): SingleSignOnFailure | null {
  return failures.find((failure) => singleSignOnCode(failure) === code) ?? null;
}
