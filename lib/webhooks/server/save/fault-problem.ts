import "server-only";
import { env } from "@/lib/platform/env/env";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { ProblemInit } from "@/lib/platform/http/model/problem";
import type { Configuration } from "@/lib/webhooks/model/configuration";

/** A fault as a problem: the service's own words as text, and the address it would have to allow. */
export function problemInitOf(fault: Fault): ProblemInit {
  const { publicAddress } = env();
  return {
    ...(fault.upstreamText !== undefined && { detail: fault.upstreamText }),
    retryable: fault.retryable,
    ...(fault.retryAfter !== undefined && { retryAfter: fault.retryAfter }),
    extra: {
      ...(fault.upstreamStatus !== undefined && { upstreamStatus: fault.upstreamStatus }),
      ...(fault.code === "ip_not_allowed" && publicAddress !== null && { publicAddress }),
    },
  };
}

/** The same for a configuration that is shown although the service could not be read. */
export function staleReasonOf(
  fault: Fault,
  requestId: string,
): NonNullable<Configuration["staleReason"]> {
  const { detail, retryAfter, extra } = problemInitOf(fault);
  return { ...extra, code: fault.code, requestId, detail, retryAfter };
}
