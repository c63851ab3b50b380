import { missingOr, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

/** The body of `PUT …/first-steps`: whether the person has dismissed them, for themselves and this environment. */
export const dismissRequestSchema = z.strictObject(
  { away: z.boolean({ error: missingOr("not_offered") }) },
  { error: notExpectedObject },
);
export type DismissRequest = z.infer<typeof dismissRequestSchema>;

/** The answer. */
export const dismissAnswerSchema = z.object({});
