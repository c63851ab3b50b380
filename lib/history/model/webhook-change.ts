import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";
import { typeOutcomes } from "./kind";

/** One type's configuration as the history keeps it: the value only as its fingerprint, or `typedValue` (item.ts). */
export const webhookVersionSchema = z.nullable(
  z.object({
    callbackUrl: z.string(),
    fingerprint: z.nullable(z.string()),
    /** The service showed two different values. */
    conflict: z.optional(z.literal(true)),
    /** The service does not show the value. */
    hidden: z.optional(z.enum(["masked", "absent"])),
  }),
);

/** What one type was before, and is (or was asked to become) after. */
export const webhookChangeSchema = z.object({
  type: z.enum(webhookTypes),
  outcome: z.enum([...typeOutcomes, "seen"]),
  /** The address is confirmed; the service does not show the value. */
  authorization: z.optional(z.literal("not_shown")),
  /** The service showed the address, with another value than was sent. */
  otherValue: z.optional(z.literal(true)),
  /** The service refused it, yet shows it. */
  refused: z.optional(z.literal(true)),
  before: webhookVersionSchema,
  after: webhookVersionSchema,
});
export type WebhookChange = z.infer<typeof webhookChangeSchema>;
