import { notExpectedObject, requiredLineField } from "@/lib/platform/http/model/request-fields";
import { maxReasonLength } from "@/lib/webhooks/model/rules/save-request";
import * as z from "zod/mini";

/** The body of `POST …/incident`. */
export const closeIncidentSchema = z.strictObject(
  {
    /** What happened, and what was done: the history keeps it. */
    note: requiredLineField(maxReasonLength),
  },
  { error: notExpectedObject },
);
export type CloseIncident = z.infer<typeof closeIncidentSchema>;
