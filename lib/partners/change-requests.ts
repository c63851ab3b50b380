import type { FieldCode } from "@/lib/field-errors";
import { idPattern } from "@/lib/id-pattern";
import * as z from "zod/mini";

const code = (name: FieldCode) => name;
type Issue = { code?: string; input?: unknown };
const missingOr = (name: FieldCode) => (issue: Issue) =>
  code(issue.input === undefined ? "required" : name);
const notThisObject = (issue: Issue) =>
  issue.code === "unrecognized_keys" ? code("unknown_field") : code("not_an_object");

/** In characters; what a list and a heading can show. */
export const longestName = 100;

/** One line: it stands in headings, mails and the history. */
const name = z
  .string({ error: missingOr("not_text") })
  .check(
    z.trim(),
    z.minLength(1, { error: code("required") }),
    z.maxLength(longestName, { error: code("too_long") }),
    z.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, { error: code("invisible_character") }),
  );

/** What `POST /api/partners` takes. The id stands in addresses for good. */
export const newPartnerSchema = z.strictObject(
  {
    id: z
      .string({ error: missingOr("not_text") })
      .check(z.trim(), z.regex(idPattern, { error: code("not_an_id") })),
    name,
  },
  { error: notThisObject },
);
export type NewPartner = z.infer<typeof newPartnerSchema>;

/** What `PATCH /api/partners/{partner}` takes; what is left out stays. */
export const partnerChangeSchema = z.strictObject(
  { name: z.optional(name), suspended: z.optional(z.boolean({ error: code("not_offered") })) },
  { error: notThisObject },
);
export type PartnerChange = z.infer<typeof partnerChangeSchema>;

/** What both answer. */
export const changedPartnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  suspended: z.boolean(),
});
export type ChangedPartner = z.infer<typeof changedPartnerSchema>;
