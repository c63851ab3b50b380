import { code, missingOr } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

/** The fields of a save that its request, its stored row and its proposal share. */
export const askedFields = {
  type: z.enum([...webhookTypes, "both"], { error: missingOr("not_offered") }),
  /** Answers `confirmation_required`: the person has seen why the service's answer is ambiguous. */
  confirm: z.optional(z.literal(true, { error: code("not_offered") })),
};

/** The same as stored: without a typed value, and with an address that was validated on arrival. */
export const askedSchema = z.object({
  ...askedFields,
  url: z.string(),
  authorization: z.enum(["keep", "replace", "remove"]),
});

/** The part of that which an approver gets. */
export const proposedSchema = z.omit(askedSchema, { confirm: true });

export type Asked = z.infer<typeof askedSchema>;

export function askedOf<Request extends { authorization: { action: Asked["authorization"] } }>(
  request: Request,
): Asked {
  return askedSchema.parse({ ...request, authorization: request.authorization.action });
}
