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
