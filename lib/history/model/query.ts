import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";
import { shows, type HistoryFilter } from "./filters";

/** A person's id, or `outside`. */
export const actorId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/));

const timestamp = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

const fields = {
  actor: z.optional(actorId),
  /**
   * A timestamp (ISO 8601 with its zone), or a day in UTC. `from` is inclusive; `to` is inclusive only as a whole day.
   */
  from: z.optional(timestamp),
  to: z.optional(timestamp),
  /** From `nextCursor`. */
  cursor: z.optional(z.string().check(z.maxLength(40))),
  /** Only entries after this position: for a collector that already has the earlier ones. */
  after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
  /** Downloads all matching entries instead of one page. */
  format: z.optional(z.enum(["csv", "json"])),
};

/** The query of `GET /api/partners/{partner}/history`; the page has the same names in its address. */
export const historyQuerySchema = z.strictObject({
  ...fields,
  /** Entries about this environment, and those about the partner as a whole. */
  environment: z.optional(z.string().check(z.regex(/^[a-z0-9-]{3,40}$/))),
  type: z.optional(z.enum(webhookTypes)),
  show: z.optional(z.enum(shows.partner)),
});

/** The query of `GET /api/installation/activity`. `actor` is the person it is by or about. */
export const activityQuerySchema = z.strictObject({
  ...fields,
  show: z.optional(z.enum(shows.people)),
});

export type HistoryQuery = Omit<z.infer<typeof historyQuerySchema>, "show"> & {
  show?: HistoryFilter | undefined;
};
