import { code, missingOr } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

/**
 * The fields of a save that are more than a step of its press: its request has them, its row keeps them, and whoever
 * approves it sees them.
 */
export const askedFields = {
  type: z.enum([...webhookTypes, "both"], { error: missingOr("not_offered") }),
  /** Answers `confirmation_required`: the person has seen why the service's answer is ambiguous. */
  confirm: z.optional(z.literal(true, { error: code("not_offered") })),
};

/** The same as they are kept: what was typed as a value is not, and the address was checked as it arrived. */
export const askedSchema = z.object({
  ...askedFields,
  url: z.string(),
  authorization: z.enum(["keep", "replace", "remove"]),
});

/** What whoever approves it gets of that. */
export const proposedSchema = z.omit(askedSchema, { confirm: true });

export type Asked = z.infer<typeof askedSchema>;

export function askedOf<Request extends { authorization: { action: Asked["authorization"] } }>(
  request: Request,
): Asked {
  return askedSchema.parse({ ...request, authorization: request.authorization.action });
}
