/**
 * Why single sign-on failed. The server passes it to the sign-in page in the address, and the page puts it into words
 * (`signIn.failed.singleSignOn`). Shared with the browser.
 */
const failures = [
  /** No account has the address, it is disabled, or the provider does not vouch for the address: the same answer. */
  "not_invited",
  /** The person is linked to another account at the provider. */
  "other_account",
  /** The provider is the only way in, and nothing that it says of the person opens anything. */
  "not_named",
  "cancelled",
  /** Of a step-up: the provider does not say that the person signed in just now. */
  "not_fresh",
  /** Of a step-up: another session asked for it, it was answered already, or it took too long. */
  "over",
  /** The provider was not reached, or could not answer: nobody was refused. */
  "no_answer",
  /** The proxy through which the provider is reached (OUTBOUND_PROXY): as for other calls. */
  "proxy_failed",
  "proxy_password",
  "proxy_refused",
  /** Anything else; the log says why. */
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
