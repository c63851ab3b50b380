import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";

/** The query of `GET /api/overview`. */
export const overviewQuerySchema = z.object({
  /** Left out: production, where there is one. */
  environment: z.optional(z.string()),
  /** The line after which the list goes on, from `nextCursor`. */
  cursor: z.optional(z.string().check(z.maxLength(120), z.regex(/^\d{1,16}~[A-Za-z0-9-]+$/))),
});
export type OverviewQuery = z.infer<typeof overviewQuerySchema>;

/** Timestamps are ISO 8601, UTC. */
const timestamp = z.string();

/** Why a partner needs attention, each with since when. */
const reason = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("failing"), since: timestamp, code: z.string() }),
  z.object({
    kind: z.enum(["changed_outside", "other_value"]),
    since: timestamp,
    types: z.array(z.enum(webhookTypes)),
  }),
  /** At least one type is not registered. */
  z.object({
    kind: z.literal("type_missing"),
    since: timestamp,
    types: z.array(z.enum(webhookTypes)),
  }),
  z.object({
    kind: z.literal("no_authorization"),
    since: timestamp,
    types: z.array(z.enum(webhookTypes)),
  }),
]);
export type AttentionReason = z.infer<typeof reason>;

const line = z.object({
  partner: z.object({ id: z.string(), name: z.string() }),
  since: timestamp,
  /** The oldest first; never empty. */
  reasons: z.array(reason),
});

const hour = z.object({
  /** When it began. */
  at: timestamp,
  readings: z.number(),
  failed: z.number(),
  changedOutside: z.number(),
  /** Milliseconds of the list call; null where none was answered. */
  medianMs: z.nullable(z.number()),
  p95Ms: z.nullable(z.number()),
});

/** The answer of `GET /api/overview`: the state of an environment, by Gancho's readings. */
export const overviewSchema = z.object({
  environment: z.string(),
  environments: z.array(z.string()),
  at: timestamp,
  /** Minutes from one background reading to the next; null: there are none, only people's. */
  everyMinutes: z.nullable(z.number()),
  /** The budget is too small for the period: the minutes per round that it allows. */
  takesMinutes: z.nullable(z.number()),
  /** Processes that read in the background now. */
  workers: z.number(),
  connections: z.number(),
  /** Read within the period, with some grace, and not failing since. */
  confirmed: z.number(),
  failing: z.number(),
  /** Neither: not read within the period. */
  notRead: z.number(),
  /** Of those, since the last midnight of UTC. */
  failingSinceToday: z.number(),
  /** Connections that another client of the service changed within seven days. */
  changedOutside: z.number(),
  /** Connections with such a change that nobody has acknowledged yet. */
  unanswered: z.number(),
  /** Partners with a registered type without a value at the service: as the table of partners counts them. */
  withoutAuthorization: z.number(),
  /** Since when the service as a whole does not answer; null: it does. */
  serviceDownSince: z.nullable(timestamp),
  /** The service asked to slow down, and Gancho pauses. */
  isPaused: z.boolean(),
  /** Forty-eight hours, the oldest first, those without readings included. */
  hours: z.array(hour),
  /** In the demo: everything shown from before this time is made up. */
  madeUpUntil: z.nullable(timestamp),
  attention: z.array(line),
  nextCursor: z.nullable(z.string()),
});
export type Overview = z.infer<typeof overviewSchema>;
