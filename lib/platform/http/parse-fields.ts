import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import { ProblemError } from "@/lib/platform/http/model/problem";
import * as z from "zod/mini";

/** The parsed body, or `invalid_fields` with one error a field. */
export function parseFields<Body>(schema: z.ZodMiniType<Body>, json: unknown): Body {
  const parsed = z.safeParse(schema, json);
  if (parsed.success) return parsed.data;
  throw new ProblemError("invalid_fields", {
    applied: "no",
    errors: fieldErrors(parsed.error.issues),
  });
}
