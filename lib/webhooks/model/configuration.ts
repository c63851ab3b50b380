import { saveStates } from "@/lib/history/model/kind";
import { shownValues, webhookVersionSchema } from "@/lib/history/model/webhook-change";
import * as z from "zod/mini";
import { proposedSchema } from "./asked";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";

/**
 * Why this type's value has to be typed before it goes with another address: Gancho writes only a value that the service
 * shows exactly as Gancho sent it last. `retype_unproven`: Gancho sent none last, or it was refused, and one may be set.
 */
const retypeCodes = [
  "conflicting_values",
  "retype_not_shown",
  "retype_other_value",
  "retype_unproven",
] as const;
export type Retype = (typeof retypeCodes)[number];

/**
 * The configuration as the dashboard's own interface answers it, parsed in the browser and built on the server. Never
 * contains the Authorization value itself.
 */
const authorizationState = z.object({
  set: z.boolean(),
  /**
   * 8 hexadecimal characters of an HMAC; null when not set. Equal values have equal fingerprints within one partner and
   * environment, and nowhere else.
   */
  fingerprint: z.nullable(z.string()),
  /** The service answered two names for this field with different values (docs/contract.md § 2.2). */
  conflict: z.optional(z.boolean()),
  /**
   * The service does not show the value: it shows a placeholder (`masked`) or nothing, though a value may be set
   * (`absent`). There is no fingerprint then.
   */
  hidden: z.optional(z.enum(["masked", "absent"])),
  /** Absent where the value can be kept with another address, and for unrecognised items. */
  retype: z.optional(z.enum(retypeCodes)),
});

/** The save here that asked for exactly what is shown, and when somebody asked for it; ISO 8601, UTC. */
const askedBy = z.object({ name: z.string(), at: z.string() });

const configuredWebhook = z.object({
  type: z.enum(webhookTypes),
  callbackUrl: z.string(),
  authorization: authorizationState,
  /** null when the service did not state them. */
  events: z.nullable(z.array(z.string())),
  /** The first look since which no other state was shown; ISO 8601, UTC. */
  shownSince: z.string(),
  /** null: no save here asked for it. */
  askedBy: z.nullable(askedBy),
  /** The second person, where that save waited for one. */
  approvedBy: z.optional(z.string()),
  /** The service lists this type more than once; writing asks for confirmation. */
  duplicate: z.optional(z.boolean()),
  /** The service left the type out; recognised because all its event kinds belong to this type. */
  inferred: z.optional(z.boolean()),
});

/** An item whose type the service left out or Gancho does not know: shown, never written. */
const unrecognisedWebhook = z.object({
  type: z.nullable(z.string()),
  callbackUrl: z.string(),
  authorization: authorizationState,
  events: z.nullable(z.array(z.string())),
});

/** A save that was sent, and that no look has shown in full yet; Gancho goes on looking. */
const openSave = z.object({
  operation: z.string(),
  outcome: z.enum(["unclear", "accepted", "partly"]),
  /** Those that are not shown in full. */
  types: z.array(z.enum(webhookTypes)),
  /** The person's name. */
  by: z.string(),
  /** When it was asked for, and until when Gancho looks at least; ISO 8601, UTC. */
  at: z.string(),
  until: z.string(),
  /** The last readable look; left out where there was none since. */
  lookedAt: z.optional(z.string()),
  requestId: z.string(),
});

/** A change that waits for a second person. The service has none of it yet. */
const proposal = z.extend(proposedSchema, {
  id: z.string(),
  /** What the author wrote to the approver. */
  reason: z.nullable(z.string()),
  by: z.object({ id: z.string(), name: z.string() }),
  at: z.string(),
  expiresAt: z.string(),
  /** What the service held when it was proposed. */
  basis: z.array(z.object({ type: z.enum(webhookTypes), before: webhookVersionSchema })),
  /** The service now holds something else, so it cannot be approved any more. */
  outdated: z.boolean(),
  /** Who may approve it now; null where its author may not make the change any more. */
  approvers: z.nullable(z.array(z.object({ id: z.string(), name: z.string() }))),
});

/** A difference of one type that no save here asked for, until somebody acknowledges it or a later save answers it. */
const outsideChange = z.object({
  /** Identifies exactly this difference: a further one of the type gives a new id. */
  id: z.string(),
  type: z.enum(webhookTypes),
  /** Before the first of them, and after the last. */
  before: webhookVersionSchema,
  after: webhookVersionSchema,
  /** Other addresses that looks showed in between, the newest last; left out where there were none. */
  earlier: z.optional(z.array(z.string())),
  /** Gancho had sent a value before, whatever the service shows. */
  hadValue: z.optional(z.literal(true)),
  /** The last look that showed the state before, and the one that showed the state after; ISO 8601, UTC. */
  since: z.string(),
  at: z.string(),
  /** An earlier save that asked for exactly the state after. */
  askedBy: z.optional(askedBy),
  /** The list is not known to show values, so that another value may be the same one, shown in another way. */
  mayBeShownOtherwise: z.optional(z.literal(true)),
});

export const configurationSchema = z.object({
  partner: z.string(),
  environment: z.string(),
  /** null when nothing is registered. */
  revision: z.nullable(z.string()),
  /**
   * Orders configurations of this partner and environment, wherever they come from: a smaller one is older. A stored
   * one has an integer; an answer that could not be stored has a value between two.
   */
  epoch: z.number(),
  /** When the payment service was read for this, ISO 8601 UTC. Computed from the age, so that the two agree. */
  confirmedAt: z.string(),
  /** How long before this answer that was, milliseconds, on a clock that never jumps. */
  confirmedAgeMs: z.number(),
  /** The server's time of this answer, ISO 8601 UTC, from which screens compute every age. */
  answeredAt: z.string(),
  /** True when the service cannot be reached now and this is the last confirmed configuration. */
  stale: z.boolean(),
  /** Why it is stale: the members of the problem that help a person. */
  staleReason: z.optional(
    z.object({
      code: z.string(),
      requestId: z.string(),
      /** The service's own words. */
      detail: z.optional(z.string()),
      /** In seconds, from the reading on. */
      retryAfter: z.optional(z.number()),
      /** Gancho's address, where the service would have to allow it. */
      publicAddress: z.optional(z.string()),
    }),
  ),
  /** The service's "not found" was worded differently than in the contract: probably nothing is registered. */
  unclear: z.optional(z.boolean()),
  webhooks: z.array(configuredWebhook),
  unrecognised: z.optional(z.array(unrecognisedWebhook)),
  /** Changes made outside Gancho that nobody has acknowledged yet; left out where there are none. */
  outside: z.optional(z.array(outsideChange)),
  /** The newest first. */
  openSaves: z.array(openSave),
  /** Whether a second person has to approve what `isCovered` names. */
  fourEyes: z.optional(z.boolean()),
  proposals: z.optional(z.array(proposal)),
});

export type Proposal = z.infer<typeof proposal>;
export type Configuration = z.infer<typeof configurationSchema>;
export type ConfiguredWebhook = z.infer<typeof configuredWebhook>;
export type UnrecognisedWebhook = z.infer<typeof unrecognisedWebhook>;
export type OutsideChange = z.infer<typeof outsideChange>;
export type OpenSave = z.infer<typeof openSave>;

export const saveResultSchema = z.object({
  /** The least done of its types. */
  outcome: z.enum(saveStates),
  results: z.array(
    z.object({
      type: z.enum(webhookTypes),
      outcome: z.enum(saveStates),
      /** The first look that showed it (`partly`: its address), and the last; ISO 8601, UTC. The last one is left out while it is shown. */
      shownAt: z.optional(z.string()),
      shownUntil: z.optional(z.string()),
      /** The status of the service's answer to the write; left out where none came, or nothing was sent. */
      answered: z.optional(z.number()),
      /** The last readable look for it, and until when Gancho looks; the latter is left out where it does not any more. */
      lookedAt: z.optional(z.string()),
      until: z.optional(z.string()),
      /** What its address is shown with, in place of the value that was asked for. */
      value: z.optional(z.enum(shownValues)),
    }),
  ),
  /** What the last look showed; null when the list could not be read, or not in time. */
  configuration: z.nullable(configurationSchema),
  requestId: z.string(),
  /** The save's id, from the browser or made by the server. */
  operation: z.string(),
  /** The problem code of why it was not sent, not accepted or not answered. */
  reason: z.optional(z.string()),
});

export type SaveResult = z.infer<typeof saveResultSchema>;

/** The save waits for a second person: nothing was sent. */
export const waitingResultSchema = z.object({
  outcome: z.literal("waiting"),
  results: z.array(z.never()),
  proposal: z.string(),
  /** null when it was not read in time. */
  configuration: z.nullable(configurationSchema),
  requestId: z.string(),
  operation: z.string(),
});

/**
 * `GET …/operations/{operation}` where there is no result. `none`: nothing was sent, and nothing ever will be.
 * `in_progress`: the request arrived. `not_known`: it has not arrived, but still may. The others: how its proposal for
 * a second person ended; nothing was sent.
 */
export const noResultSchema = z.object({
  outcome: z.enum([
    "none",
    "in_progress",
    "not_known",
    "rejected",
    "withdrawn",
    "replaced",
    "expired",
  ]),
  operation: z.string(),
  configuration: configurationSchema,
});

/** A save's steps, in this order: nothing is sent before `sending`, and `reading_back` reads the outcome. */
export const saveSteps = ["preparing", "sending", "reading_back"] as const;
export type SaveStep = (typeof saveSteps)[number];

/** `GET …/operations/{operation}/step`. null: it is not in progress, or in another process. */
export const operationStepSchema = z.object({ step: z.nullable(z.enum(saveSteps)) });

export type NoResult = z.infer<typeof noResultSchema>;
export type WaitingResult = z.infer<typeof waitingResultSchema>;
