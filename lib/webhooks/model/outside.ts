import { code, missingOr, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

/**
 * The body of `POST …/outside`: somebody acknowledges changes made outside Gancho as their own. `changes`: the ids of
 * those that they saw, so that no other is acknowledged.
 */
export const acknowledgementSchema = z.strictObject(
  {
    changes: z
      .array(
        z.string({ error: code("not_text") }).check(z.maxLength(64, { error: code("too_long") })),
        {
          error: missingOr("not_offered"),
        },
      )
      .check(z.maxLength(webhookTypes.length, { error: code("too_long") })),
  },
  { error: notExpectedObject },
);
export type Acknowledgement = z.infer<typeof acknowledgementSchema>;
