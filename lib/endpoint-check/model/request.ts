import { code, missingOr, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import { checkAuthorizationValue } from "@/lib/webhooks/model/rules/authorization-value";
import { checkCallbackTarget, type TargetPolicy } from "@/lib/webhooks/model/rules/callback-target";
import { checkedBy } from "@/lib/webhooks/model/rules/save-request";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";

/** The body of `POST …/endpoint-checks`: the registered address of a type with its value, or a typed address. */
export function checkRequestSchema(policy: TargetPolicy) {
  return z.strictObject(
    {
      type: z.enum(webhookTypes, { error: missingOr("not_offered") }),
      /** Left out: the one that the payment service holds now. */
      typed: z.optional(
        z.strictObject(
          {
            url: checkedBy((value) => checkCallbackTarget(value, policy)),
            /** A value that the person typed to set; no registered value is sent to a typed address. */
            authorization: z.optional(checkedBy(checkAuthorizationValue)),
          },
          { error: notExpectedObject },
        ),
      ),
    },
    { error: code("unknown_field") },
  );
}

export type CheckRequest = z.infer<ReturnType<typeof checkRequestSchema>>;
