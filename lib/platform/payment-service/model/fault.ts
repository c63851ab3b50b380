import type { ProblemCode } from "@/lib/platform/http/model/problem-code";

/** How a call to the payment service can fail. Each is also a problem code. */
export type FaultCode = Extract<
  ProblemCode,
  | "credentials_rejected"
  | "ip_not_allowed"
  | "upstream_contract"
  | "upstream_rejected"
  | "upstream_rate_limited"
  | "upstream_unavailable"
  | "upstream_timeout"
  | "connection_refused"
  | "connection_failed"
  | "name_not_found"
  | "certificate_expired"
  | "certificate_wrong_name"
  | "certificate_untrusted"
  | "bad_response"
  | "misconfigured"
>;

export type Fault = {
  code: FaultCode;
  /** For a write: "no" only where it is certain that the service did not apply it. For a read always "no". */
  applied: "no" | "unknown";
  retryable: boolean;
  /** Whole seconds, from Retry-After or a remembered rejection. */
  retryAfter?: number;
  /** The HTTP status the service answered, if any. */
  upstreamStatus?: number;
  /** The service's text: plain, at most 200 characters, secrets removed. */
  upstreamText?: string;
  /** Which of the three calls failed. */
  during: "token" | "list" | "register";
};
