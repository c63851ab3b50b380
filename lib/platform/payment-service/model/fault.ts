import type { ProblemCode } from "@/lib/platform/http/model/problem-code";

/** Whether the same request may succeed later although nobody changes anything in Gancho. */
export const isRetryable = {
  credentials_rejected: false,
  ip_not_allowed: false,
  upstream_contract: false,
  upstream_rejected: false,
  misconfigured: false,
  certificate_expired: false,
  certificate_wrong_name: false,
  certificate_untrusted: false,
  upstream_rate_limited: true,
  upstream_unavailable: true,
  overloaded: true,
  upstream_timeout: true,
  connection_refused: true,
  connection_failed: true,
  proxy_failed: true,
  proxy_password: false,
  proxy_refused: true,
  name_not_found: true,
  bad_response: true,
} as const satisfies Partial<Record<ProblemCode, boolean>>;

/** How a call to the payment service can fail. Each is also a problem code. */
export type FaultCode = keyof typeof isRetryable;

export function isFaultCode(code: ProblemCode): code is FaultCode {
  return Object.hasOwn(isRetryable, code);
}

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
