import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import {
  code,
  lineField,
  missingOr,
  notExpectedObject,
} from "@/lib/platform/http/model/request-fields";
import {
  hasInvisible,
  hasLineBreak,
  hasOddSpace,
} from "@/lib/platform/http/model/hidden-characters";
import { standInFor } from "@/lib/platform/secrets/model/stand-in";
import { maxReasonLength } from "@/lib/webhooks/model/rules/save-request";
import * as z from "zod/mini";

/**
 * Lengths in characters. The contract states none (section 4.1); these fit any service we know of, and both together
 * stay far below the 8 KiB that servers commonly allow for a header, Base64 included.
 */
export const credentialLimits = { clientId: 200, clientSecret: 1_000 };

/**
 * Nothing that came along when it was copied from a page or a mail and that nobody can see there, and no mask or
 * placeholder in its stead: it would lock the partner out.
 */
function credentialFault(value: string, limit: number): FieldCode | null {
  if (value.trim() === "") return "required";
  if (hasInvisible(value) || hasLineBreak(value) || /\p{Cs}/u.test(value))
    return "invisible_character";
  if (value.trim() !== value) return "surrounding_space";
  if (hasOddSpace(value)) return "invisible_character";
  if ([...value].length > limit) return "too_long";
  const standIn = standInFor(value);
  // The service tells whether a word is meant: credentials are tried before they are used.
  return standIn === "word" ? null : standIn;
}

/** A colon would end the id: HTTP Basic joins id and secret with one (contract 4.1, RFC 7617 section 2). */
export function clientIdFault(value: string): FieldCode | null {
  return (
    credentialFault(value, credentialLimits.clientId) ?? (value.includes(":") ? "colon" : null)
  );
}

export function clientSecretFault(value: string): FieldCode | null {
  return credentialFault(value, credentialLimits.clientSecret);
}

function checkedBy(faultOf: (value: string) => FieldCode | null) {
  return z.string({ error: missingOr("not_text") }).check(
    z.check((field) => {
      const fault = faultOf(field.value);
      if (fault) field.issues.push({ code: "custom", input: field.value, message: fault });
    }),
  );
}

/** The body of `PUT /api/partners/{partner}/{environment}/connection`, in the browser's form and at the route. */
export const connectionRequestSchema = z.strictObject(
  {
    clientId: checkedBy(clientIdFault),
    /** Left out: the stored one stays. */
    clientSecret: z.optional(checkedBy(clientSecretFault)),
    /** The version that the form showed when it opened; null when nothing was set up. */
    version: z.nullable(
      z
        .number({ error: missingOr("not_offered") })
        .check(z.int({ error: code("not_offered") }), z.positive({ error: code("not_offered") })),
    ),
    /** The person has seen why these credentials do not work now, and saves them nonetheless. */
    saveUnchecked: z.optional(z.literal(true, { error: code("not_offered") })),
    /** Where a second admin has to approve it: the waiting proposal that the person saw and replaces. */
    replaces: z.optional(
      z
        .string({ error: missingOr("not_text") })
        .check(z.maxLength(64, { error: code("too_long") })),
    ),
    /** A note for that second admin. */
    reason: z.optional(lineField(maxReasonLength)),
  },
  { error: notExpectedObject },
);

export type ConnectionRequest = z.infer<typeof connectionRequestSchema>;
