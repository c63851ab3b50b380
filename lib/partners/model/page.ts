import * as z from "zod/mini";
import { idPattern } from "@/lib/platform/http/model/id-pattern";
import { maxSearchLength, partnerSorts, partnerStatuses } from "./partner-state";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

/** What people quote of a partner in a ticket. Staff find the partner by it, as a whole. */
export const quotedBy = ["email", "client_id", "path", "request_id"] as const;

export type QuotedBy = (typeof quotedBy)[number];

/** The query of `GET /api/partners`. */
export const partnerQuerySchema = z.object({
  /**
   * Prefixes of words in the name, the id or a callback host. For staff also a whole callback path, client id, member's
   * email or request id.
   */
  search: z._default(z.string().check(z.trim(), z.maxLength(maxSearchLength, "too_long")), ""),
  status: z.optional(z.enum(partnerStatuses)),
  /** Left out: by id. */
  sort: z.optional(z.enum(partnerSorts)),
  /** The environment whose configurations the list shows; left out: production, where there is one. */
  environment: z.optional(z.string()),
  /** The id after which the page begins, from `nextCursor`. */
  cursor: z.optional(z.string().check(z.regex(idPattern))),
});

export type PartnerQuery = z.infer<typeof partnerQuerySchema>;

/** What of a partner a search found that its line does not show anyway. */
export const partnerMatch = z.discriminatedUnion("by", [
  /** Of a callback URL in another environment. */
  z.object({ by: z.literal("host"), environment: z.string(), value: z.string() }),
  /** The whole search. */
  z.object({ by: z.enum(quotedBy), value: z.string() }),
]);

export type PartnerMatch = z.infer<typeof partnerMatch>;

/** One line of the list: a partner at its last reading in one environment. Timestamps are ISO 8601, UTC. */
export const partnerLine = z.object({
  id: z.string(),
  name: z.string(),
  suspended: z.boolean(),
  /** An API connection is set up. */
  connected: z.boolean(),
  /** When the payment service last listed what the present client has; null where no such list is known. */
  checkedAt: z.nullable(z.string()),
  /** Host of each callback URL; null: not registered; empty: Gancho cannot tell. */
  hosts: z.object({ pix_in: z.nullable(z.string()), pix_out: z.nullable(z.string()) }),
  /** Registered types for which the service shows no Authorization value and Gancho did not write one last. */
  withoutAuthorization: z.array(z.enum(webhookTypes)),
  /** Why the last reading failed, since when, and the id of the first request that failed. */
  failing: z.nullable(z.object({ code: z.string(), since: z.string(), requestId: z.string() })),
  /** Left out where the line itself shows why it was found. */
  match: z.optional(partnerMatch),
});

export const partnerPageSchema = z.object({
  environment: z.string(),
  partners: z.array(partnerLine),
  /** null on the last page. */
  nextCursor: z.nullable(z.string()),
});

export type PartnerLine = z.infer<typeof partnerLine>;
export type PartnerPage = z.infer<typeof partnerPageSchema>;
