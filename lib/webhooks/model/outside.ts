import { code, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

/**
 * The body of `POST …/outside`: somebody acknowledges a change made outside Gancho as their own. `until`: when the last
 * change that they saw was found, so that nobody acknowledges a later one.
 */
export const acknowledgementSchema = z.strictObject(
  {
    until: z.iso.datetime({
      error: (issue) => code(issue.input === undefined ? "required" : "not_offered"),
    }),
  },
  { error: notExpectedObject },
);
export type Acknowledgement = z.infer<typeof acknowledgementSchema>;
