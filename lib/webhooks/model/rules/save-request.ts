import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import {
  code,
  lineField,
  missingOr,
  notExpectedObject,
} from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";
import { askedFields } from "@/lib/webhooks/model/asked";
import { checkAuthorizationValue, doubtAbout } from "./authorization-value";
import { checkCallbackTarget, type TargetPolicy } from "./callback-target";

const text = () => z.string({ error: missingOr("not_text") });
const action = <Name extends string>(name: Name) => z.literal(name, { error: code("not_offered") });

/** A string that one of the shared rules checks. */
export function checkedBy(check: (value: string) => { ok: true } | { ok: false; code: FieldCode }) {
  return text().check(
    z.check((field) => {
      const result = check(field.value);
      if (!result.ok) {
        field.issues.push({ code: "custom", input: field.value, message: result.code });
      }
    }),
  );
}

const authorization = z.discriminatedUnion(
  "action",
  [
    z.strictObject({ action: action("keep") }, { error: notExpectedObject }),
    z.strictObject({ action: action("remove") }, { error: notExpectedObject }),
    z
      .strictObject(
        {
          action: action("replace"),
          value: checkedBy(checkAuthorizationValue),
          /** The person was asked about a value that is probably a mistake, and means it. */
          confirm: z.optional(z.literal(true, { error: code("not_offered") })),
        },
        { error: notExpectedObject },
      )
      .check(
        z.check(({ value: { value, confirm }, issues }) => {
          const doubt = confirm ? null : doubtAbout(value);
          if (doubt)
            issues.push({ code: "custom", input: value, message: code(doubt), path: ["value"] });
        }),
      ),
  ],
  {
    error: (issue) =>
      issue.code === "invalid_union" ? code("not_offered") : notExpectedObject(issue),
  },
);

/** A change id, as the browser makes it for each submission; a retry sends it again. */
export const changeIdPattern = /^[A-Za-z0-9_-]{8,64}$/;

/** In characters. */
export const maxReasonLength = 200;

/**
 * The body of `POST /api/partners/{partner}/{environment}/webhooks`. The form validates its request with it, and so
 * does the route handler. For the limits see docs/contract.md § 8.
 */
export function saveRequestSchema(policy: TargetPolicy) {
  return z.strictObject(
    {
      ...askedFields,
      url: checkedBy((value) => checkCallbackTarget(value, policy)),
      /** The revision that the form showed when it opened; null when nothing was registered. */
      revision: z.nullable(text().check(z.maxLength(200, { error: code("too_long") }))),
      authorization,
      /** The same id never writes twice: its first outcome is answered again. */
      operation: z.optional(text().check(z.regex(changeIdPattern, { error: code("not_an_id") }))),
      /** Where a second person has to approve it: the waiting proposals that the person saw and replaces. */
      replaces: z.optional(
        z
          .array(text().check(z.maxLength(64, { error: code("too_long") })))
          .check(z.maxLength(2, { error: code("too_long") })),
      ),
      /** A note for that second person. */
      reason: z.optional(lineField(maxReasonLength)),
    },
    { error: notExpectedObject },
  );
}

export type SaveRequest = z.infer<ReturnType<typeof saveRequestSchema>>;
