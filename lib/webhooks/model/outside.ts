import { code, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

/**
 * The body of `POST …/outside`: somebody says that what was changed outside Gancho was their doing. `until`: when the
 * last change that they were shown was seen, so that nobody answers for one that came after it.
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
