import "server-only";
import type { Secret } from "@/lib/platform/runtime/secret";
import {
  isRetryable,
  type Fault,
  type FaultCode,
} from "@/lib/platform/payment-service/model/fault";
import { header, type WireAnswer } from "@/lib/platform/payment-service/transport/transport";
import { upstreamText } from "./body";

/** The meaning of one answer for its call. */
export type Judgement<T> =
  | { kind: "done"; value: T }
  /** 401: on list and register, worth one more exchange of the token. */
  | { kind: "unauthorised"; fault: Fault }
  /** `retryable`: the fault may pass within the deadline, so a read tries again. */
  | { kind: "failed"; fault: Fault; retryable: boolean };

type Call = Fault["during"];

/** Transient faults; a timeout is not one, because it used the time that a retry would need. */
const transientFaults: ReadonlySet<FaultCode> = new Set([
  "connection_refused",
  "connection_failed",
  "upstream_unavailable",
  "bad_response",
]);

/**
 * What counts as a refusal: the contract does not say how the service refuses a registration. Any other 4xx may come
 * from something in between, or after the write.
 */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 422]);

/**
 * The meaning of an answer that is none of the expected ones. Decided by status alone, since the contract promises no
 * texts (section 7.1). Removes `secrets` from the text that is passed on.
 *
 * A redirect is `misconfigured`: the address is not, or no longer, the service's. It is unknown whether a write behind
 * it was applied, since 303 is an answer to one that was.
 */
export function judgeFailure(
  call: Call,
  answer: WireAnswer,
  secrets: readonly Secret[],
): Extract<Judgement<never>, { kind: "unauthorised" | "failed" }> {
  const ifWrite = (applied: Fault["applied"]) => (call === "register" ? applied : "no");
  if (answer.kind === "failed") {
    const { code, sent } = answer;
    const fault = makeFault(code, call, { applied: ifWrite(sent ? "unknown" : "no") });
    return { kind: "failed", fault, retryable: transientFaults.has(code) };
  }

  const { status, headers } = answer;
  const applied = ifWrite(refusals.has(status) ? "no" : "unknown");
  const details = {
    applied,
    upstreamStatus: status,
    upstreamText: status >= 400 ? upstreamText(answer, secrets) : undefined,
  };
  if (status === 401) {
    return { kind: "unauthorised", fault: makeFault("credentials_rejected", call, details) };
  }
  const retryAfter = retryAfterSeconds(header(headers, "retry-after"), header(headers, "date"));
  if (status === 429) {
    const fault = makeFault("upstream_rate_limited", call, { ...details, retryAfter });
    return { kind: "failed", fault, retryable: retryAfter !== undefined };
  }
  if (status >= 400 && status < 500) {
    return {
      kind: "failed",
      fault: makeFault(refusal(call, status), call, details),
      retryable: false,
    };
  }
  if (status >= 500 && status < 600) {
    const fault = makeFault("upstream_unavailable", call, { ...details, retryAfter });
    return { kind: "failed", fault, retryable: true };
  }
  const code = status >= 300 && status < 400 ? "misconfigured" : "bad_response";
  return { kind: "failed", fault: makeFault(code, call, details), retryable: false };
}

function refusal(call: Call, status: number): FaultCode {
  // The list was just read at the same address, and the contract does not say how a registration is refused.
  if (call === "register") return "upstream_rejected";
  if (status === 403) return "ip_not_allowed";
  if (status === 404) return "misconfigured";
  return "upstream_contract";
}

/** The answer had the right status, and a body that is missing or violates the contract. */
export function judgeBadBody(
  call: Call,
  { status, body }: Extract<WireAnswer, { kind: "answered" }>,
  { retryable }: { retryable: boolean },
): Extract<Judgement<never>, { kind: "failed" }> {
  const fault = makeFault(body.state === "late" ? "upstream_timeout" : "bad_response", call, {
    applied: call === "register" ? "unknown" : "no",
    upstreamStatus: status,
  });
  return { kind: "failed", fault, retryable };
}

/** An hour: a service that demands more is called again by then all the same. */
const maxSeconds = 3_600;

/**
 * Whole seconds from a Retry-After header (RFC 9110, 10.2.3), between 0 and an hour; undefined where it is missing or
 * malformed. Measures a date against the service's Date header, so that neither clock has to be right.
 */
export function retryAfterSeconds(
  retryAfter: string | undefined,
  date: string | undefined,
): number | undefined {
  const text = retryAfter?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), maxSeconds);
  const seconds = (httpDate(text) - httpDate(date?.trim() ?? "")) / 1_000;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(0, Math.ceil(seconds)), maxSeconds);
}

/** Milliseconds since 1970, or NaN. Date.parse alone would take "1" for a date. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : NaN;
}

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
    retryable: isRetryable[code],
    during,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    ...(upstreamText === undefined ? {} : { upstreamText }),
  };
}
