import * as z from "zod";

/** The three calls of the contract, section 4; `other` is everything else that arrives. */
export const kinds = ["token", "list", "register", "other"] as const;
export type Kind = (typeof kinds)[number];

const milliseconds = z.int().min(0);

/** An answer that replaces the sandbox's. */
const plannedAnswer = z.strictObject({
  /** Left out: 200. */
  status: z.int().min(100).max(999).optional(),
  /**
   * Lower-case names. Content-Type (JSON), Content-Length (the true one) and `Connection: close` are added where they
   * are not given; an empty value leaves a header out.
   */
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
  /** The body is base64, for bytes that are no text. */
  base64: z.boolean().optional(),
  /** The body is sent so often; Content-Length counts all of it. */
  repeat: z.int().min(1).optional(),
  /** Compresses the body, repeats included, and sets the header. */
  gzip: z.boolean().optional(),
});

/** What happens to one request, in this order. All left out: the sandbox's answer, passed on. */
const action = z.strictObject({
  /**
   * Whether and when the sandbox gets the request: `first`, before the answer; `never`; or so many milliseconds after
   * the end of the answer. Left out: `first`, or `never` where the rule has an answer.
   */
  apply: z.union([z.enum(["first", "never"]), z.strictObject({ lateMs: milliseconds })]).optional(),
  /** Before the first byte of the answer. */
  delayMs: milliseconds.optional(),
  /** No answer before `release` is called, for a test in the same process. */
  held: z.boolean().optional(),
  answer: plannedAnswer.optional(),
  /** The whole answer, status line and all, one character a byte; instead of `answer`. */
  raw: z.string().optional(),
  /** Sends so many bytes at a time. */
  drip: z.strictObject({ bytes: z.int().min(1), everyMs: milliseconds }).optional(),
  /** Only so many bytes of the answer are sent, counted from its first (`H` of `HTTP/1.1`). */
  cutAfter: z.int().min(0).optional(),
  /** How the connection ends: `close` (FIN), `reset` (RST), `hang` (stays open until the other side ends it). */
  ending: z.enum(["close", "reset", "hang"]).optional(),
});

const rule = z.strictObject({
  kind: z.enum([...kinds, "any"]),
  /** Only requests to `<url>/<prefix>/api/…`, which distinguishes several partners. Left out: all. */
  prefix: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .optional(),
  /** Only requests with this Authorization header, as `received` reports it. Left out: all. */
  authorization: z.string().optional(),
  /** The first request it is about, counting those that match since the plan was set; left out: 1. */
  from: z.int().min(1).optional(),
  /** For so many of them; left out: all that follow. */
  times: z.int().min(1).optional(),
  action,
});

/** The first rule that is about a request decides; where none is, the sandbox answers. */
export const planSchema = z.strictObject({
  rules: z.array(rule),
  /** What to do with connections before a request is read. Left out: accept. */
  connections: z.enum(["accept", "reset", "hang"]).optional(),
});

export type Plan = z.infer<typeof planSchema>;
export type Rule = z.infer<typeof rule>;
export type Action = z.infer<typeof action>;
export type PlannedAnswer = z.infer<typeof plannedAnswer>;
