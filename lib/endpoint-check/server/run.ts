import "server-only";
import { findEndpoint, type EgressRules, type Exchange } from "@/lib/platform/egress/egress";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { log } from "@/lib/platform/log/log";
import type { Secret } from "@/lib/platform/runtime/secret";
import { isSendable } from "@/lib/webhooks/model/rules/authorization-value";
import { checkCallbackUrl } from "@/lib/webhooks/model/rules/callback-url";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { CheckAnswer, EndpointCheck, Withheld } from "@/lib/endpoint-check/model/check";
import { verdictOf } from "@/lib/endpoint-check/model/verdict";
import packageJson from "@/package.json";
import { randomUUID } from "node:crypto";

/** An address, and the value that may be sent to it, or why none is. */
export type Subject = { url: string } & (
  { value: Secret; withheld: null } | { value: null; withheld: Withheld }
);

export type Findings = Pick<
  EndpointCheck,
  "verdict" | "dns" | "tls" | "without" | "with" | "withheld" | "sent"
>;

/**
 * The steps of a check: the name, TLS with a POST without a value, and one with it. Throws `egress_proxy_failed` where
 * Gancho's own proxy failed, which says nothing about the address; no value was sent then.
 */
export async function runCheck(
  about: { partner: string; environment: string; type: WebhookType },
  subject: Subject,
  rules: EgressRules,
): Promise<Findings> {
  const concluded = (steps: Omit<Findings, "verdict">) => ({ ...steps, verdict: verdictOf(steps) });
  const sent = JSON.stringify({
    event: "endpoint-check",
    ...about,
    id: randomUUID(),
    note: "Not a payment. Sent to check this endpoint.",
  });
  const message = { body: sent, userAgent: `gancho/${packageJson.version}` };
  const value = subject.value && isSendable(subject.value.reveal()) ? subject.value : null;
  const withheld = subject.value && !value ? "unsendable" : subject.withheld;

  // The service may hold an address that could not be saved here.
  const found = checkCallbackUrl(subject.url).ok
    ? await findEndpoint(subject.url, rules)
    : ({ found: false, because: "bad_address", ms: 0 } as const);
  if (!found.found) {
    const dns = { ms: found.ms, addresses: null, failure: found.because };
    return concluded({ dns, tls: null, without: null, with: null, withheld: "not_reached", sent });
  }
  const dns = { ms: found.ms, addresses: found.addresses && [...found.addresses], failure: null };
  const post = async (authorization: Secret | null) => {
    const exchange = await found.post({ ...message, authorization });
    const { outcome } = exchange;
    if (outcome.kind === "answered" || outcome.because !== "proxy_failed") return exchange;
    log.warn("the proxy for endpoint checks failed");
    throw new ProblemError("egress_proxy_failed");
  };
  const first = await post(null);
  if (isBeforeSending(first))
    return concluded({
      dns,
      tls: tlsStep(first),
      without: null,
      with: null,
      withheld: "not_reached",
      sent,
    });
  const second = value && (await post(value));
  const isSent = second && !isBeforeSending(second);
  return concluded({
    dns,
    tls: tlsStep(first),
    without: answerOf(first),
    with: isSent ? answerOf(second) : null,
    withheld: second && !isSent ? "not_reached" : withheld,
    sent,
  });
}

function isBeforeSending({ outcome }: Exchange): boolean {
  return outcome.kind === "failed" && outcome.stage !== "answer";
}

const day = 24 * 60 * 60_000;

function tlsStep({ tls, outcome }: Exchange): NonNullable<EndpointCheck["tls"]> {
  const failed = outcome.kind === "failed" && outcome.stage !== "answer" ? outcome : null;
  const certificate = tls?.certificate ?? null;
  return {
    ms: tls?.ms ?? outcome.ms,
    version: failed ? null : (tls?.version ?? null),
    certificate: certificate && {
      ...certificate,
      daysLeft: Math.floor((Date.parse(certificate.validTo) - Date.now()) / day),
    },
    failure: failed?.because ?? null,
  };
}

function answerOf({ outcome }: Exchange): CheckAnswer {
  if (outcome.kind === "failed")
    return {
      ms: outcome.ms,
      status: null,
      redirectHost: null,
      complete: false,
      failure: outcome.because,
    };
  const { ms, status, redirectHost, complete } = outcome;
  return { ms, status, redirectHost, complete, failure: null };
}
