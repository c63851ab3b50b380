import * as z from "zod/mini";
import { webhookTypes } from "./types";

/** One type of what a sheet can start from in place of what is registered. */
const sourceVersion = z.object({
  type: z.enum(webhookTypes),
  callbackUrl: z.string(),
  /**
   * What is known of its Authorization value, to be compared with the one that is set now. null: it is another
   * environment's, which stays there.
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
 * `GET …/webhooks/source`: what an entry of the history shows as registered before it, or what another environment has.
 * Parsed in the browser and built on the server; no value is in it.
 */
export const sourceSchema = z.object({
  /** When the entry was written, or the environment's state was confirmed; ISO 8601, UTC. */
  at: z.string(),
  /** The environment could not be asked now: this is what it last confirmed. */
  stale: z.boolean(),
  versions: z.array(sourceVersion),
});

export type Source = z.infer<typeof sourceSchema>;
export type SourceVersion = z.infer<typeof sourceVersion>;
