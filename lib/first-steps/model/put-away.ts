import { missingOr, notThisObject } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

/** The body of `PUT …/first-steps`: whether the person has put them away, for themselves and this environment. */
export const putAwaySchema = z.strictObject(
  { away: z.boolean({ error: missingOr("not_offered") }) },
  { error: notThisObject },
);
export type PutAway = z.infer<typeof putAwaySchema>;

/** What is answered. */
export const putAwayAnswerSchema = z.object({});
