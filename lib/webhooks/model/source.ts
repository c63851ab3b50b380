import * as z from "zod/mini";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

/** One type of what a sheet can start from instead of the registered version. */
const sourceVersion = z.object({
  type: z.enum(webhookTypes),
  callbackUrl: z.string(),
  /**
   * What is known of its Authorization value, to compare with the current one. null: another environment's, which stays
   * there.
   */
  authorization: z.nullable(
    z.object({
      fingerprint: z.nullable(z.string()),
      conflict: z.optional(z.boolean()),
      hidden: z.optional(z.enum(["masked", "absent"])),
    }),
  ),
});

/**
 * `GET …/webhooks/source`: the version before an entry of the history, or another environment's. Parsed in the browser
 * and built on the server; contains no value.
 */
export const sourceSchema = z.object({
  /** When the entry was written, or the environment's state was confirmed; ISO 8601, UTC. */
  at: z.string(),
  /** The environment could not be read now: this is its last confirmed state. */
  stale: z.boolean(),
  versions: z.array(sourceVersion),
});

export type Source = z.infer<typeof sourceSchema>;
export type SourceVersion = z.infer<typeof sourceVersion>;
