/**
 * The codes of every error that Gancho answers. Separate from their descriptions (problem.ts), because the browser only
 * needs to recognise one.
 */
const problemCodes = [
  // Faults of the caller.
  "malformed_request",
  "signed_out",
  "sign_in_refused",
  "sign_in_over",
  "wrong_origin",
  "signed_in_as_another",
  "one_time_codes_required",
  "forbidden",
  "passkey_required",
  "reauthentication_required",
  "fresh_sign_in_required",
  "no_password",
  "support_view_required",
  "not_found",
  "method_not_allowed",
  "stale_revision",
  "confirmation_required",
  "changed_meanwhile",
  "save_in_progress",
  "save_given_up",
  "last_admin",
  "managed_by_provider",
  "too_few_approvers",
  "second_admin_missing",
  "own_proposal",
  "no_second_person",
  "author_may_not",
  "proposal_pending",
  "proposal_over",
  "proposal_stale",
  "passkeys_unavailable",
  "passkey_over",
  "passkey_refused",
  "passkey_taken",
  "too_many_passkeys",
  "last_passkey",
  "endpoint_checks_off",
  "capture_off",
  "entry_altered",
  "nothing_registered",
  "egress_proxy_failed",
  "invitation_over",
  "body_too_large",
  "unsupported_media_type",
  "invalid_fields",
  "too_many_requests",
  "reveal_limit",
  "internal_error",
  "database_unavailable",
  "overloaded",

  // What the payment service or its network did.
  "not_connected",
  "credentials_rejected",
  "ip_not_allowed",
  "upstream_contract",
  "upstream_rejected",
  "upstream_rate_limited",
  "upstream_unavailable",
  "upstream_timeout",
  "connection_refused",
  "connection_failed",
  "proxy_failed",
  "proxy_password",
  "proxy_refused",
  "name_not_found",
  "certificate_expired",
  "certificate_wrong_name",
  "certificate_untrusted",
  "bad_response",
  "misconfigured",

  // How a save ended when it did not simply succeed.
  "not_saved",
  "partly_saved",
  "outcome_unknown",
] as const;

export type ProblemCode = (typeof problemCodes)[number];

const known: ReadonlySet<unknown> = new Set(problemCodes);

export function isProblemCode(code: unknown): code is ProblemCode {
  return known.has(code);
}
