import { code, missingOr, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";
import { assertionSchema } from "./passkey-response";

/** As typed: whether it is right is one question, with one answer. */
const typed = (longest: number) =>
  z
    .string({ error: missingOr("not_text") })
    .check(
      z.minLength(1, { error: code("required") }),
      z.maxLength(longest, { error: code("too_long") }),
    );

export const passwordSignInSchema = z.strictObject(
  { email: typed(1_000), password: typed(10_000) },
  { error: notExpectedObject },
);

export const codeSignInSchema = z.strictObject({ code: typed(100) }, { error: notExpectedObject });

export const passkeySignInSchema = z.strictObject(
  { assertion: assertionSchema },
  { error: notExpectedObject },
);

/** To the identity provider: to sign in, or with `stepUp` to confirm who one is. */
export const providerRequestSchema = z.strictObject(
  {
    /** The page that is wanted afterwards. */
    callbackUrl: z.optional(typed(4_000)),
    /** The provider must prompt even a person whom it remembers. */
    askWho: z.optional(z.boolean({ error: code("not_offered") })),
    stepUp: z.optional(z.boolean({ error: code("not_offered") })),
  },
  { error: notExpectedObject },
);

export type ProviderRequest = z.infer<typeof providerRequestSchema>;
