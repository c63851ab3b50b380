import { code, emailField, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

/** Longer than any valid token: only the database can validate it. */
const token = z.string(code("not_text")).check(z.maxLength(100, code("too_long")));

/** The body of `POST /api/password-links/look`, and its answer: whose link this is and whether it still works. */
export const previewLinkSchema = z.strictObject({ token });
export const passwordLinkSchema = z.object({
  state: z.enum(["open", "used", "expired", "elsewhere"]),
  name: z.string(),
  email: z.string(),
});
export type PasswordLink = z.infer<typeof passwordLinkSchema>;

/**
 * The body of `POST /api/password-links`: for a person who forgot their password. The answer is the same for everybody.
 */
export const linkRequestSchema = z.strictObject(
  { email: emailField },
  { error: notExpectedObject },
);

/** The body of `POST /api/password-links/use`, and its answer. The server has the rules for passwords. */
export const passwordChoiceSchema = z.strictObject({
  token,
  password: z.string(code("not_text")).check(z.maxLength(1_000, code("too_long"))),
});
export const passwordChosenSchema = z.object({ email: z.string() });
