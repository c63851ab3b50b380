import * as z from "zod/mini";
import { webhookTypes } from "./types";

/**
 * The configuration as the dashboard's own interface answers it, parsed in the browser and built on the server.
 * The Authorization value itself is never in it.
 */
const authorizationState = z.object({
  set: z.boolean(),
  /**
   * 8 hexadecimal characters of an HMAC; null when not set. Equal values have equal fingerprints within one partner,
   * environment and type, and nowhere else.
   */
  fingerprint: z.nullable(z.string()),
  /** The service answered two names for this field with different values (contract 2.2). */
  conflict: z.optional(z.boolean()),
});

const lastChange = z.object({
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The person's name; null when the change was made outside Gancho. */
  by: z.nullable(z.string()),
  /** The second person, where `by` only proposed it. */
  approvedBy: z.optional(z.string()),
});

const configuredWebhook = z.object({
  type: z.enum(webhookTypes),
  callbackUrl: z.string(),
  authorization: authorizationState,
  /** null when the service did not state them. */
  events: z.nullable(z.array(z.string())),
  lastChange: z.nullable(lastChange),
  /** The service lists this type more than once; writing asks for confirmation. */
  duplicate: z.optional(z.boolean()),
});

/** An item whose type the service left out or that Gancho does not know: shown, never written. */
const unrecognisedWebhook = z.object({
  type: z.nullable(z.string()),
  callbackUrl: z.string(),
  authorization: authorizationState,
  events: z.nullable(z.array(z.string())),
});

/** One line of "Recent changes" and of the history. */
const historyEntry = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(["save", "changed_outside", "authorization_reveal"]),
  types: z.array(z.enum(webhookTypes)),
  /** The person's name; null for an unknown client of the service. */
  by: z.nullable(z.string()),
  /** Who proposed what `by` approved. */
  proposedBy: z.optional(z.string()),
  outcome: z.enum(["saved", "unchanged", "partial", "not_saved", "unknown", "seen", "revealed"]),
  /** Per type: what it was before and is (or was asked to become) after. Of a reveal: none. */
  changes: z.array(
    z.object({
      type: z.enum(webhookTypes),
      outcome: z.enum(["created", "overwritten", "unchanged", "not_saved", "unknown", "seen"]),
      before: z.nullable(
        z.object({ callbackUrl: z.string(), fingerprint: z.nullable(z.string()) }),
      ),
      after: z.nullable(z.object({ callbackUrl: z.string(), fingerprint: z.nullable(z.string()) })),
    }),
  ),
  /** The problem code behind an outcome that is not "saved" or "unchanged". */
  reason: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
});

/** A change that waits for a second person. Nothing of it is at the service. */
const proposal = z.object({
  id: z.string(),
  type: z.enum([...webhookTypes, "both"]),
  url: z.string(),
  authorization: z.enum(["keep", "replace", "remove"]),
  /** What the author wrote to whoever approves it. */
  reason: z.nullable(z.string()),
  by: z.object({ id: z.string(), name: z.string() }),
  at: z.string(),
  expiresAt: z.string(),
  /** What the service held when it was proposed. */
  basis: z.array(
    z.object({
      type: z.enum(webhookTypes),
      before: z.nullable(
        z.object({ callbackUrl: z.string(), fingerprint: z.nullable(z.string()) }),
      ),
    }),
  ),
  /** That is not what it holds now, so it cannot be approved any more. */
  outdated: z.boolean(),
  /** Who counts as a second person for it now; null where its author may not make the change any more. */
  approvers: z.nullable(z.array(z.object({ id: z.string(), name: z.string() }))),
});

export const configurationSchema = z.object({
  partner: z.string(),
  environment: z.string(),
  /** null when nothing is registered. */
  revision: z.nullable(z.string()),
  /** When the payment service last confirmed this, ISO 8601 UTC. */
  confirmedAt: z.string(),
  /** True when the service cannot be reached now and this is the last confirmed configuration. */
  stale: z.boolean(),
  /** Why it is stale: the problem's code and when to try again. */
  staleReason: z.optional(z.object({ code: z.string(), requestId: z.string() })),
  /** The service's "not found" was in other words than the contract's: probably nothing is registered. */
  unclear: z.optional(z.boolean()),
  webhooks: z.array(configuredWebhook),
  unrecognised: z.optional(z.array(unrecognisedWebhook)),
  recentChanges: z.array(historyEntry),
  /** Whether registering an address here, or changing one, takes a second person. */
  fourEyes: z.optional(z.boolean()),
  proposals: z.optional(z.array(proposal)),
});

export type Proposal = z.infer<typeof proposal>;
export type Configuration = z.infer<typeof configurationSchema>;
export type ConfiguredWebhook = z.infer<typeof configuredWebhook>;
export type UnrecognisedWebhook = z.infer<typeof unrecognisedWebhook>;
export type HistoryEntry = z.infer<typeof historyEntry>;

export const saveResultSchema = z.object({
  outcome: z.enum(["saved", "unchanged", "partial", "not_saved", "unknown"]),
  results: z.array(
    z.object({
      type: z.enum(webhookTypes),
      outcome: z.enum(["created", "overwritten", "unchanged", "not_saved", "unknown"]),
    }),
  ),
  /** What the service holds now, after reading back; null when it could not be read. */
  configuration: z.nullable(configurationSchema),
  requestId: z.string(),
});

export type SaveResult = z.infer<typeof saveResultSchema>;
export type SaveOutcome = SaveResult["outcome"];

/** A save that waits for a second person instead: nothing was sent. */
export const waitingResultSchema = z.object({
  outcome: z.literal("waiting"),
  results: z.array(z.never()),
  proposal: z.string(),
  configuration: configurationSchema,
  requestId: z.string(),
});

export type WaitingResult = z.infer<typeof waitingResultSchema>;
