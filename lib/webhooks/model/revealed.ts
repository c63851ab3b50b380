import * as z from "zod/mini";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

/** Why there is no value: none is set, nothing is registered, the service shows two different ones, or none of them. */
const absences = ["not_set", "not_registered", "conflicting_values", "not_shown"] as const;

/** The answer of `POST …/webhooks/{type}/reveal`: what the payment service held when it was read for this. */
export const revealedSchema = z.object({
  type: z.enum(webhookTypes),
  /** The value itself: only here does it reach the browser. */
  authorization: z.nullable(z.string()),
  /** null where there is a value. */
  absence: z.nullable(z.enum(absences)),
  /** As in the configuration: first 8 hexadecimal characters of an HMAC; null without a value. */
  fingerprint: z.nullable(z.string()),
  /** The whole configuration's; differs from the screen's if that is older. */
  revision: z.nullable(z.string()),
  /** ISO 8601, UTC. */
  readAt: z.string(),
});

export type Revealed = z.infer<typeof revealedSchema>;
