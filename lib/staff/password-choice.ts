import type { FieldCode } from "@/lib/field-errors";
import * as z from "zod/mini";

const code = (name: FieldCode) => name;

/** Longer than any token of ours: what it is, only the database knows. */
const token = z.string(code("not_text")).check(z.maxLength(100, code("too_long")));

/** The body of `POST /api/password-links/look`, and its answer: whose link this is and whether it still works. */
export const lookAtLinkSchema = z.strictObject({ token });
export const passwordLinkSchema = z.object({
  state: z.enum(["open", "used", "expired"]),
  name: z.string(),
  email: z.string(),
});

/** The body of `POST /api/password-links/use`, and its answer. What a password must be like, the server's rules say. */
export const passwordChoiceSchema = z.strictObject({
  token,
  password: z.string(code("not_text")).check(z.maxLength(1_000, code("too_long"))),
});
export const passwordChosenSchema = z.object({ email: z.string() });
