import { saveStates } from "@/lib/history/model/kind";
import { missingOr, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";

/**
 * The outcome of a person's own proposal, as `GET …/proposals` answers it to its author. Timestamps are ISO 8601, UTC.
 */
const endedProposal = z.object({
  id: z.string(),
  about: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("webhooks"),
      type: z.enum([...webhookTypes, "both"]),
      url: z.string(),
    }),
    z.object({ kind: z.literal("connection"), clientId: z.string() }),
  ]),
  state: z.enum(["approved", "rejected", "withdrawn", "replaced", "expired"]),
  at: z.string(),
  /** The person who ended it; null: it expired. */
  by: z.nullable(z.string()),
  /** What they wrote to its author. */
  reason: z.nullable(z.string()),
  /** What is said of the save of an approved webhook change; null while nothing is. */
  save: z.nullable(z.enum(saveStates)),
});
export type EndedProposal = z.infer<typeof endedProposal>;

export const endedSchema = z.object({
  /** Those not dismissed yet, newest first. */
  ended: z.array(endedProposal),
  /** Who proposed the API credentials that wait here; null: none wait, or the person may not see them. */
  credentialsBy: z.nullable(z.string()),
});
export type EndedList = z.infer<typeof endedSchema>;

/** The body of `PATCH …/proposals/{proposal}`. */
export const dismissedSchema = z.strictObject(
  { dismissed: z.literal(true, { error: missingOr("not_offered") }) },
  { error: notExpectedObject },
);
export type Dismissed = z.infer<typeof dismissedSchema>;
