import * as z from "zod/mini";
import { isProblemCode, type ProblemCode } from "@/lib/platform/http/model/problem-code";

const problemSchema = z.object({
  status: z.number(),
  code: z.custom<ProblemCode>(isProblemCode),
  requestId: z.string(),
  detail: z.optional(z.string()),
  retryAfter: z.optional(z.number()),
  applied: z.optional(z.enum(["no", "unknown"])),
  errors: z.optional(z.array(z.object({ path: z.string(), code: z.string() }))),
  /** Of a required step-up: no other method is enough. */
  method: z.optional(z.literal("passkey")),
});

/** A problem as the browser reads it. Members that only some problems carry stay in `members`, unparsed. */
export type ClientProblem = z.infer<typeof problemSchema> & { members: unknown };

/** Null for an answer that is no problem of Gancho's. */
export function readProblem(body: unknown): ClientProblem | null {
  const problem = problemSchema.safeParse(body).data;
  return problem ? { ...problem, members: body } : null;
}
