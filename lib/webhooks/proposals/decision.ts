import { assertionSchema } from "@/lib/auth/passkeys/response";
import type { FieldCode } from "@/lib/field-errors";
import type { RequestOptions } from "@/lib/passkey-client";
import * as z from "zod/mini";

const code = (name: FieldCode) => name;

const decisions = ["approve", "reject", "withdraw"] as const;

/** The body of `POST /api/partners/{partner}/{environment}/proposals/{proposal}`. */
export const decisionSchema = z.strictObject(
  {
    decision: z.enum(decisions, {
      error: (issue) => code(issue.input === undefined ? "required" : "not_offered"),
    }),
    /** Of an approval: what a passkey of the approver's signed, where they have one. */
    passkey: z.optional(assertionSchema),
  },
  {
    error: (issue) => code(issue.code === "unrecognized_keys" ? "unknown_field" : "not_an_object"),
  },
);
export type Decision = z.infer<typeof decisionSchema>;

/** The answer of `POST …/proposals/{proposal}/challenge`: what to sign; null where the person has no passkey. */
export const challengeSchema = z.object({
  options: z.nullable(
    z.custom<RequestOptions>((value) => typeof value === "object" && value !== null),
  ),
});
