import { egressFailures } from "@/lib/platform/egress/model/failures";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";

/**
 * What a check saw, in one word: what the receiver answered to a message without a value and to one with it. None says
 * what becomes of the payment service's own notifications. Each has words in the message catalogue.
 */
export const verdicts = [
  /** It refused the message without the value and accepted the one with it. */
  "accepts_only_with",
  /** It accepted the message without the value. */
  "accepts_without",
  /** It accepted the one with the value; its answer to the other one is neither a refusal nor an acceptance. */
  "accepts_with",
  /** It refused the message without the value; no value was sent. */
  "refuses_without",
  /** The same, and the payment service shows no value. */
  "value_missing",
  /** It answered 401 or 403 to the message with the value. */
  "refuses_with",
  /** It answered 401 or 403 without the value, and refused the message with the value by another status. */
  "answers_differ",
  "redirects",
  "answers_error",
  "no_answer",
  /** In TLS, it demanded a certificate of Gancho. */
  "client_certificate",
  "unreachable",
  "tls_failed",
  "name_not_found",
  /** Gancho never calls this address. */
  "not_allowed",
] as const;

export type Verdict = (typeof verdicts)[number];

/** Why no message carried a value. */
const withheld = [
  "support",
  "typed",
  "not_set",
  "not_shown",
  "not_proven",
  "conflicting_values",
  "unsendable",
  "not_reached",
] as const;

const failure = z.nullable(z.enum(egressFailures));

const answer = z.object({
  /** Milliseconds from the request to the answer's head, or until Gancho gave up. */
  ms: z.number(),
  /** null where there was none; `failure` says why. */
  status: z.nullable(z.number()),
  redirectHost: z.nullable(z.string()),
  /** False: the answer's body did not end within the limits. */
  complete: z.boolean(),
  failure,
});

export type CheckAnswer = z.infer<typeof answer>;

/** A check's findings: all of the receiver's answers that is stored or shown. Contains no value. */
export const endpointCheckSchema = z.object({
  type: z.enum(webhookTypes),
  url: z.string(),
  /** Only a typed address, not the registered one. */
  typed: z.boolean(),
  verdict: z.enum(verdicts),
  dns: z.object({
    ms: z.number(),
    /** null where a proxy resolves the name, or no address may be called. */
    addresses: z.nullable(z.array(z.string())),
    failure,
  }),
  /** null where the check did not get that far. */
  tls: z.nullable(
    z.object({
      ms: z.number(),
      version: z.nullable(z.string()),
      certificate: z.nullable(
        z.object({
          names: z.array(z.string()),
          issuer: z.string(),
          validFrom: z.string(),
          validTo: z.string(),
          /** Whole days until it expires, at the time of the check; negative after expiry. */
          daysLeft: z.number(),
        }),
      ),
      failure,
    }),
  ),
  without: z.nullable(answer),
  with: z.nullable(answer),
  withheld: z.nullable(z.enum(withheld)),
  /** The body that was sent. */
  sent: z.string(),
  /** null: Gancho, by itself. */
  by: z.nullable(z.string()),
  /** ISO 8601, UTC; the server's clock. */
  at: z.string(),
  /** Since when checks of this address and value have had this verdict. */
  since: z.string(),
  /** As in the configuration: of the value registered then; null where none was seen. */
  fingerprint: z.nullable(z.string()),
  requestId: z.string(),
});

export type EndpointCheck = z.infer<typeof endpointCheckSchema>;
export type Withheld = NonNullable<EndpointCheck["withheld"]>;

/** `GET …/endpoint-checks`: the last one of each registered address, and which are checked every day. */
export const lastChecksSchema = z.object({
  checks: z.array(endpointCheckSchema),
  daily: z.array(z.enum(webhookTypes)),
});
export type LastChecks = z.infer<typeof lastChecksSchema>;
