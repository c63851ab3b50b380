import { code, missingOr, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import { checkAuthorizationValue } from "@/lib/webhooks/model/rules/authorization-value";
import { checkCallbackTarget, type TargetPolicy } from "@/lib/webhooks/model/rules/callback-target";
import { checkedBy } from "@/lib/webhooks/model/rules/save-request";
import { webhookTypes } from "@/lib/webhooks/model/types";
import * as z from "zod/mini";

/**
 * The body of `POST …/endpoint-checks`: the registered address of a type, with the value that is registered or one that
 * was replaced; or an address that is only typed.
 */
export function checkRequestSchema(policy: TargetPolicy) {
  return z.strictObject(
    {
      type: z.enum(webhookTypes, { error: missingOr("not_offered") }),
      /** Left out: the one that the payment service holds, as it holds it then. */
      typed: z.optional(
        z.strictObject(
          {
            url: checkedBy((value) => checkCallbackTarget(value, policy)),
            /** What the person typed to be set; nothing that is registered is sent to an address that is typed. */
            authorization: z.optional(checkedBy(checkAuthorizationValue)),
          },
          { error: notExpectedObject },
        ),
      ),
      /** A value that the person typed as one that was replaced. It goes to the registered address alone. */
      replaced: z.optional(checkedBy(checkAuthorizationValue)),
    },
    { error: code("unknown_field") },
  );
}

export type CheckRequest = z.infer<ReturnType<typeof checkRequestSchema>>;
