import { code, notExpectedObject } from "@/lib/platform/http/model/request-fields";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";

/** What an address takes: messages and bytes in a minute, the longest body, and how much of one is kept. */
export const captureLimits = {
  perMinute: 60,
  bytesPerMinute: 1024 * 1024,
  bodyBytes: 256 * 1024,
  keptBytes: 64 * 1024,
} as const;

/** How many of the latest messages are kept, and for how long at most; and how long an address is on. Milliseconds. */
export const kept = { messages: 20, ms: 24 * 60 * 60_000 } as const;
export const onForMs = 7 * 24 * 60 * 60_000;

/** `PUT …/capture`. */
export const switchSchema = z.strictObject(
  {
    type: z.enum(webhookTypes, { error: code("not_offered") }),
    on: z.boolean({ error: code("not_offered") }),
  },
  { error: notExpectedObject },
);
export type Switch = z.infer<typeof switchSchema>;

/** Its answer: the address that is on now. */
export const switchedSchema = z.object({ url: z.nullable(z.string()) });
export type Switched = z.infer<typeof switchedSchema>;

/**
 * How the Authorization header compares with the registered value. `not_known`: Gancho knows of no registered value.
 * `not_compared`: too many other values came before.
 */
const authorizations = ["equal", "other", "none", "not_known", "not_compared"] as const;

const arrival = z.object({
  number: z.number(),
  /** ISO 8601, UTC. */
  at: z.string(),
  method: z.string(),
  /** The IP address that it came from; null: unknown. */
  from: z.nullable(z.string()),
  authorization: z.enum(authorizations),
  /** By name; null for a value that may be secret. */
  headers: z.array(z.object({ name: z.string(), value: z.nullable(z.string()) })),
  /** Of the whole body. */
  bytes: z.number(),
  /** The kinds of event that the body names. */
  events: z.array(z.string()),
  /** It has the form of Gancho's own endpoint check. */
  isCheck: z.boolean(),
});

const fact = z.object({
  type: z.enum(webhookTypes),
  fact: z.enum(["after_save", "repeated", "from", "event"]),
  value: z.string(),
  times: z.number(),
  /** ISO 8601, UTC. */
  firstAt: z.string(),
  lastAt: z.string(),
  leastMs: z.nullable(z.number()),
  mostMs: z.nullable(z.number()),
});

/** `GET …/capture`: the addresses that are on, the latest message first; and what messages have ever shown here. */
export const capturesSchema = z.object({
  /** One can be switched on here. */
  offered: z.boolean(),
  captures: z.array(
    z.object({
      type: z.enum(webhookTypes),
      url: z.string(),
      since: z.string(),
      expiresAt: z.string(),
      arrivals: z.array(arrival),
    }),
  ),
  facts: z.array(fact),
});

/** `GET …/capture/arrivals/{type}.{number}`. */
export const bodySchema = z.object({
  /** The first 64 KB of the body: as text, or in Base64 where it is not UTF-8. */
  text: z.string(),
  isBase64: z.boolean(),
  isCut: z.boolean(),
});

export type Captures = z.infer<typeof capturesSchema>;
export type Capture = Captures["captures"][number];
export type Arrival = Capture["arrivals"][number];
export type Fact = Captures["facts"][number];
export type Body = z.infer<typeof bodySchema>;
