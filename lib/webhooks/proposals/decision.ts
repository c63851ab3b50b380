import type { FieldCode } from "@/lib/field-errors";
import * as z from "zod/mini";

const code = (name: FieldCode) => name;

const decisions = ["approve", "reject", "withdraw"] as const;

/** The body of `POST /api/partners/{partner}/{environment}/proposals/{proposal}`. */
export const decisionSchema = z.strictObject(
  {
    decision: z.enum(decisions, {
      error: (issue) => code(issue.input === undefined ? "required" : "not_offered"),
    }),
  },
  {
    error: (issue) => code(issue.code === "unrecognized_keys" ? "unknown_field" : "not_an_object"),
  },
);
export type Decision = z.infer<typeof decisionSchema>;
