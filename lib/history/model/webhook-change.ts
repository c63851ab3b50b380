import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";
import { saveStates } from "./kind";

/** What is shown at a save's address in place of the value that it asked for. */
export const shownValues = ["not_shown", "other"] as const;

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

/** One type of a save, or of a difference that looks showed: what was shown before it, and after it or asked for. */
export const webhookChangeSchema = z.object({
  type: z.enum(webhookTypes),
  /** `seen`: of a difference. */
  outcome: z.enum([...saveStates, "seen"]),
  /** The status with which the service answered the write; left out where nothing came. */
  answered: z.optional(z.number()),
  /** The value that its address is shown with: none or a placeholder, or another one. */
  value: z.optional(z.enum(shownValues)),
  before: webhookVersionSchema,
  after: webhookVersionSchema,
});
export type WebhookChange = z.infer<typeof webhookChangeSchema>;
