import {
  code,
  missingOr,
  requiredLineField,
  notExpectedObject,
} from "@/lib/platform/http/model/request-fields";
import { maxReasonLength } from "@/lib/webhooks/model/rules/save-request";
import * as z from "zod/mini";

const decisions = ["approve", "reject", "withdraw"] as const;

/**
 * The body of `POST /api/partners/{partner}/{environment}/proposals/{proposal}`. Rejecting takes a reason, which the
 * author sees: without one they can only guess, and propose the same again.
 */
export const decisionSchema = z
  .strictObject(
    {
      decision: z.enum(decisions, { error: missingOr("not_offered") }),
      reason: z.optional(requiredLineField(maxReasonLength)),
    },
    { error: notExpectedObject },
  )
  .check(
    z.check(({ value, issues }) => {
      const { decision, reason } = value;
      const refuse = (message: string) =>
        issues.push({ code: "custom", input: value, message, path: ["reason"] });
      if (decision === "reject" && reason === undefined) refuse(code("required"));
      if (decision === "approve" && reason !== undefined) refuse(code("unknown_field"));
    }),
  );
export type Decision = z.infer<typeof decisionSchema>;
