import type { FieldCode } from "@/lib/field-errors";
import * as z from "zod/mini";

const code = (name: FieldCode) => name;

/** Somewhere that the person is signed in. Moments are ISO 8601. */
export type AccountSession = {
  /** Tells the rows apart; opens nothing. */
  key: string;
  signedInAt: string;
  lastUsedAt: string;
  /** null where it was not recorded. */
  address: string | null;
  /** As far as it is known. */
  browser: string | null;
  system: string | null;
  /** The one that asks. */
  here: boolean;
};

/** What a person sees of their own account. */
export type Account = {
  name: string;
  email: string;
  /** Without one, single sign-on is the only way in. */
  passwordSet: boolean;
  /** The one that asks first, then as they were used last. */
  sessions: AccountSession[];
};

/** Longer than any password that is accepted; its own rules are the server's. */
const password = z
  .string(code("not_text"))
  .check(z.minLength(1, code("required")), z.maxLength(1_000, code("too_long")));

/** `POST /api/account/password`: its body, and its answer. */
export const passwordChangeSchema = z.strictObject({ current: password, password });
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

/** `DELETE /api/account/sessions`: its body. */
export const endSessionsSchema = z.strictObject({
  which: z.enum(["others", "all"], code("not_offered")),
});
export type EndSessions = z.infer<typeof endSessionsSchema>;

/** The answer of both: how many other sessions were open and are not any more. */
export const endedSessionsSchema = z.object({ ended: z.number() });
export type EndedSessions = z.infer<typeof endedSessionsSchema>;
