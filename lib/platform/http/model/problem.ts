import type { ProblemCode } from "./problem-code";
import { fieldErrorTitles, type FieldCode } from "./field-errors";

/**
 * Every error that Gancho answers, as a catalogue: one code (problem-code.ts), one HTTP status, one English title.
 * The words a person reads are in the message catalogue under `problems.<code>`; `title` is for logs and tools.
 */
export const problemCatalogue = {
  // Faults of the caller.
  malformed_request: { status: 400, title: "The request could not be read" },
  signed_out: { status: 401, title: "Sign in first" },
  sign_in_refused: { status: 401, title: "The person or the proof was not accepted" },
  sign_in_over: { status: 409, title: "This sign-in took too long; begin again" },
  wrong_origin: { status: 403, title: "The request did not come from the dashboard's own pages" },
  signed_in_as_another: {
    status: 409,
    title: "The page was opened as another person than the one who is signed in now",
  },
  one_time_codes_required: { status: 403, title: "Set up one-time codes first" },
  forbidden: { status: 403, title: "Your role does not allow this" },
  passkey_required: { status: 403, title: "Use a passkey first" },
  reauthentication_required: { status: 403, title: "Confirm your identity first" },
  fresh_sign_in_required: { status: 403, title: "Sign in again first" },
  no_password: {
    status: 403,
    title: "This person has neither a password nor a passkey to confirm it with",
  },
  support_view_required: {
    status: 403,
    title: "Give a reason first: support sees a partner only in a support view",
  },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "This method is not offered here" },
  stale_revision: { status: 409, title: "The configuration changed since the form was opened" },
  confirmation_required: {
    status: 409,
    title: "The service's answer is ambiguous; confirm to go on",
  },
  changed_meanwhile: { status: 409, title: "This changed since the page was loaded" },
  save_in_progress: { status: 409, title: "Another save of this configuration is under way" },
  save_given_up: { status: 409, title: "This save was already reported as not saved" },
  last_admin: { status: 409, title: "A partner cannot be left without an admin" },
  managed_by_provider: { status: 409, title: "The sign-in provider decides this membership" },
  too_few_approvers: {
    status: 409,
    title: "A second admin is missing, who would be needed to switch it off again",
  },
  second_admin_missing: { status: 409, title: "A second admin who could agree is missing" },
  own_proposal: { status: 403, title: "Nobody approves their own proposal" },
  no_second_person: {
    status: 403,
    title: "Author and approver were both admitted by the same person",
  },
  author_may_not: { status: 409, title: "The author may no longer make this change" },
  proposal_pending: { status: 409, title: "Another change of this waits for approval" },
  proposal_over: { status: 409, title: "The proposed change is no longer waiting" },
  proposal_stale: { status: 409, title: "The configuration changed since the change was proposed" },
  passkeys_unavailable: { status: 409, title: "Passkeys do not work at this address" },
  passkey_over: { status: 409, title: "The passkey's signature can no longer be used" },
  passkey_refused: { status: 403, title: "The passkey was not accepted" },
  passkey_taken: { status: 409, title: "This passkey is known already" },
  too_many_passkeys: { status: 409, title: "This person has as many passkeys as one can have" },
  last_passkey: { status: 409, title: "The last passkey has to stay" },
  endpoint_checks_off: { status: 409, title: "Endpoint checks are switched off here" },
  capture_off: { status: 409, title: "Notifications cannot be received here" },
  entry_altered: { status: 409, title: "This entry of the history was altered" },
  nothing_registered: { status: 409, title: "The payment service lists no address to check" },
  egress_proxy_failed: { status: 502, title: "The dashboard's proxy for endpoint checks failed" },
  invitation_over: { status: 409, title: "The invitation can no longer be accepted" },
  body_too_large: { status: 413, title: "The request body is too large" },
  unsupported_media_type: { status: 415, title: "The request body must be JSON" },
  invalid_fields: { status: 422, title: "Some fields are not valid" },
  too_many_requests: { status: 429, title: "Too many requests" },
  reveal_limit: { status: 429, title: "Too many Authorization values revealed within an hour" },
  internal_error: { status: 500, title: "The dashboard failed to answer" },
  database_unavailable: { status: 503, title: "The dashboard's database is not available" },
  overloaded: {
    status: 503,
    title: "The dashboard is busy: too many connections or requests at once",
  },

  // What the payment service or its network did.
  not_connected: { status: 409, title: "No API connection is set up for this environment" },
  credentials_rejected: {
    status: 502,
    title: "The payment service rejected the credentials",
  },
  ip_not_allowed: {
    status: 502,
    title: "The payment service does not allow this server's address",
  },
  upstream_contract: {
    status: 502,
    title: "The payment service refused a request that follows its contract",
  },
  upstream_rejected: { status: 502, title: "The payment service refused the configuration" },
  upstream_rate_limited: { status: 502, title: "The payment service asks to slow down" },
  upstream_unavailable: { status: 502, title: "The payment service is failing" },
  upstream_timeout: { status: 504, title: "The payment service did not answer in time" },
  connection_refused: { status: 502, title: "The payment service refused the connection" },
  connection_failed: { status: 502, title: "The connection to the payment service broke" },
  proxy_failed: { status: 502, title: "The outbound proxy opened no connection" },
  proxy_password: { status: 502, title: "The outbound proxy asks for a password" },
  proxy_refused: { status: 502, title: "The outbound proxy refused the connection" },
  name_not_found: { status: 502, title: "The payment service's host name was not found" },
  certificate_expired: { status: 502, title: "The payment service's certificate has expired" },
  certificate_wrong_name: {
    status: 502,
    title: "The payment service's certificate is for another name",
  },
  certificate_untrusted: { status: 502, title: "The payment service's certificate is not trusted" },
  bad_response: { status: 502, title: "The payment service's answer does not follow the contract" },
  misconfigured: {
    status: 502,
    title: "The environment's address does not look like the payment service",
  },

  // How a save ended when it did not simply succeed.
  not_saved: { status: 502, title: "Not saved" },
  partly_saved: { status: 502, title: "Partly saved" },
  outcome_unknown: { status: 504, title: "Outcome unknown" },
} as const satisfies Record<ProblemCode, { status: number; title: string }>;

/** Seconds. By then a silent connection has been given up, and most servers have failed over. */
export const databaseRetryAfter = 5;

/** One field of a request that was refused. `path` is dotted (`authorization.value`); `code` names the rule. */
export type FieldError = { path: string; code: string; message: string };

/** RFC 9457 problem details, with Gancho's members. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  /** Plain English; may carry up to 200 characters that the payment service wrote. */
  detail?: string;
  requestId: string;
  /** The same request may succeed later without a change. */
  retryable: boolean;
  /** Seconds until it is worth trying again, when known. */
  retryAfter?: number;
  /** For writes: whether anything may have changed at the payment service. */
  applied?: "no" | "unknown";
  errors?: FieldError[];
};

export type ProblemInit = Partial<
  Pick<Problem, "detail" | "retryable" | "retryAfter" | "applied" | "errors">
> & {
  /** Further members of the problem, chosen field by field by the caller. */
  extra?: Record<string, unknown>;
};

/** A problem for the caller; thrown only across the layers of one request. */
export class ProblemError extends Error {
  override readonly name: string = "ProblemError";
  readonly code: ProblemCode;
  readonly init: ProblemInit;
  constructor(code: ProblemCode, init: ProblemInit = {}) {
    super(`${code}: ${init.detail ?? problemCatalogue[code].title}`);
    this.code = code;
    this.init = init;
  }
}

export function problemBody(code: ProblemCode, requestId: string, init: ProblemInit = {}): Problem {
  const { extra, ...members } = init;
  const { status, title } = problemCatalogue[code];
  return {
    ...extra,
    type: `urn:gancho:problem:${code}`,
    title,
    status,
    code,
    requestId,
    retryable: false,
    ...members,
  };
}

/** One field of a change was refused, at this path in the request; nothing was changed. */
export function fieldRefused(path: string, code: FieldCode): ProblemError {
  const errors = [{ path, code, message: fieldErrorTitles[code] }];
  return new ProblemError("invalid_fields", { applied: "no", errors });
}

/** Refused as too many, so nothing was changed; there is room again in so many seconds. */
export function tooMany(retryAfter: number): ProblemError {
  return new ProblemError("too_many_requests", { applied: "no", retryable: true, retryAfter });
}
