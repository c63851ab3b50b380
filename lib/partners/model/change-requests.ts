import { idPattern } from "@/lib/platform/http/model/id-pattern";
import {
  code,
  missingOr,
  nameField,
  notExpectedObject,
} from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

/** In characters; what a list and a heading can show. */
export const maxNameLength = 100;

const name = nameField(maxNameLength);

/** What `POST /api/partners` takes. The id stays in addresses forever. */
export const newPartnerSchema = z.strictObject(
  {
    id: z
      .string({ error: missingOr("not_text") })
      .check(z.trim(), z.regex(idPattern, { error: code("not_an_id") })),
    name,
  },
  { error: notExpectedObject },
);
export type NewPartner = z.infer<typeof newPartnerSchema>;

/** What `PATCH /api/partners/{partner}` takes; left out: unchanged. */
export const partnerChangeSchema = z.strictObject(
  { name: z.optional(name), suspended: z.optional(z.boolean({ error: code("not_offered") })) },
  { error: notExpectedObject },
);
export type PartnerChange = z.infer<typeof partnerChangeSchema>;

/** The answer of both. */
export const changedPartnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  suspended: z.boolean(),
});
export type ChangedPartner = z.infer<typeof changedPartnerSchema>;
