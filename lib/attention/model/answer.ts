import { verdicts } from "@/lib/endpoint-check/model/check";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";

const types = z.array(z.enum(webhookTypes));

/** What has been done about an incident; what is not known is not done. The fourth step, a note, ends it. */
const steps = z.object({
  /** An address is shown for each type of it, and no difference of an address is left. */
  restored: z.boolean(),
  /** No type has a value any more that was shown beside an address that no save here asked for, or an unknown one. */
  replaced: z.boolean(),
  /** The API credentials were replaced since. */
  credentials: z.boolean(),
});
export type IncidentSteps = z.infer<typeof steps>;

/** Something that needs attention in one environment. Timestamps are ISO 8601, UTC. */
export const attentionItem = z.discriminatedUnion("kind", [
  /** What is shown differs from before, no save here asked for it, and nobody acknowledged it. `at`: the first look. */
  z.object({
    kind: z.literal("difference"),
    types,
    at: z.string(),
    onlyValue: z.boolean(),
    /** Left out where only values differ, so that no address was told. */
    steps: z.optional(steps),
  }),
  /** The value in use was shown beside an address that no save here asked for. */
  z.object({ kind: z.literal("exposed"), types }),
  /** Readings fail; `code` is a problem code. */
  z.object({ kind: z.literal("failing"), code: z.string(), since: z.string() }),
  z.object({ kind: z.literal("not_connected") }),
  /** Connected, and not read yet. */
  z.object({ kind: z.literal("not_read") }),
  /** The last readable look is too old to say what is registered now. */
  z.object({ kind: z.literal("old"), readAt: z.string() }),
  /** The last check of what is registered now. */
  z.object({ kind: z.literal("endpoint"), types, verdict: z.enum(verdicts) }),
  /** Whole days; negative after the end. */
  z.object({ kind: z.literal("certificate"), types, days: z.number() }),
  /** An incident whose difference is gone, and that is not over. `since`: when it began. */
  z.object({ kind: z.literal("recovering"), types, since: z.string(), steps }),
  /** The service shows no value, and Gancho has sent none that it may hide. */
  z.object({ kind: z.literal("no_value"), types }),
  /** Gancho cannot tell what is registered, or which of two values counts. */
  z.object({ kind: z.literal("unclear"), types }),
  /** A save was asked for at `at`, may have taken effect, and no look had shown it by `until`. */
  z.object({ kind: z.literal("not_shown"), types, at: z.string(), until: z.string() }),
  /** Changes take two people, and no two are there who could make one. */
  z.object({ kind: z.literal("no_second_person") }),
  /** A change waits for a second person. */
  z.object({
    kind: z.literal("waiting"),
    id: z.string(),
    about: z.enum(["webhooks", "credentials"]),
    types,
  }),
  z.object({ kind: z.literal("not_registered"), types }),
  /** In production: a test environment has the same address, or the same value. */
  z.object({
    kind: z.literal("shared"),
    types,
    what: z.enum(["address", "value"]),
    environment: z.string(),
  }),
]);

export type AttentionItem = z.infer<typeof attentionItem>;

/** `GET /api/partners/{partner}/attention`. */
export const attentionSchema = z.object({
  partner: z.string(),
  environments: z.array(
    z.object({
      environment: z.string(),
      /** Of the look that this is about, as in the configuration; 0: there was none. */
      epoch: z.number(),
      /** The worst first; empty: all is well. */
      items: z.array(attentionItem),
    }),
  ),
  /** How many changes wait for this person's decision, in all environments. */
  approvals: z.number(),
});

export type Attention = z.infer<typeof attentionSchema>;
