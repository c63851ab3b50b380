/**
 * Why single sign-on failed. The server passes it to the sign-in page in the address, and the page puts it into words
 * (`signIn.failed.singleSignOn`). A leaf that the browser shares.
 */
const failures = [
  /** No account has this address, or it is disabled: the same answer. */
  "not_invited",
  "email_not_verified",
  /** The person is linked to another account at the provider. */
  "other_account",
  "provider_unreachable",
  /** The provider's answer does not fit OIDC_ISSUER, OIDC_CLIENT_ID or OIDC_CLIENT_SECRET. */
  "misconfigured",
  "cancelled",
  /** Too late, a second time, or not begun in this browser. */
  "expired",
  "failed",
] as const;

export type SingleSignOnFailure = (typeof failures)[number];

const prefix = "sso-";

export function singleSignOnCode(failure: SingleSignOnFailure): string {
  return `${prefix}${failure}`;
}

/** null for a code that is not about single sign-on. */
export function singleSignOnFailure(code: string): SingleSignOnFailure | null {
  return failures.find((failure) => singleSignOnCode(failure) === code) ?? null;
}
