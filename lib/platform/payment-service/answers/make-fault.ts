import type { Fault, FaultCode } from "@/lib/platform/payment-service/model/fault";

/** Whether the same request may succeed later although nobody changes anything in Gancho. */
const retryable: Readonly<Record<FaultCode, boolean>> = {
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
  upstream_timeout: true,
  connection_refused: true,
  connection_failed: true,
  name_not_found: true,
  bad_response: true,
};

type Details = {
  applied?: Fault["applied"];
  retryAfter?: number | undefined;
  upstreamStatus?: number | undefined;
  upstreamText?: string | undefined;
};

export function makeFault(
  code: FaultCode,
  during: Fault["during"],
  { applied = "no", retryAfter, upstreamStatus, upstreamText }: Details = {},
): Fault {
  return {
    code,
    applied,
    retryable: retryable[code],
    during,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    ...(upstreamText === undefined ? {} : { upstreamText }),
  };
}
