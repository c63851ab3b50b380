import { isProblemCode, type ProblemCode } from "@/lib/problem";
import * as z from "zod/mini";

const check = z.object({
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The person's name. */
  by: z.string(),
  ok: z.boolean(),
  /** Why they do not work; null when they do. */
  code: z.nullable(z.custom<ProblemCode>(isProblemCode)),
  /** The HTTP status the service answered, if any. */
  upstreamStatus: z.nullable(z.number()),
  /** What the service said, as plain text of at most 200 characters. */
  upstreamText: z.nullable(z.string()),
  /** When it is worth trying again, ISO 8601; null when not known. */
  retryAt: z.nullable(z.string()),
  requestId: z.string(),
  /** False when the credentials were replaced after this check. */
  current: z.boolean(),
});

/**
 * The API connection as `GET|PUT …/connection` and `POST …/connection/check` answer it, parsed in the browser and
 * built on the server. The client secret itself is never in it.
 */
export const connectionSchema = z.object({
  partner: z.string(),
  environment: z.string(),
  /** null when nothing is set up; then `version` and `changedAt` are null too. */
  clientId: z.nullable(z.string()),
  clientSecret: z.object({ set: z.boolean() }),
  version: z.nullable(z.number()),
  changedAt: z.nullable(z.string()),
  /** The person's name; null where it was set up by a program. */
  changedBy: z.nullable(z.string()),
  lastCheck: z.nullable(check),
  /** Where the payment service is, as the operator configured it. */
  serviceUrl: z.string(),
  /** From where Gancho calls, which the service has to allow (contract 5.5); null when the operator has not said. */
  publicAddress: z.nullable(z.string()),
});

export type Connection = z.infer<typeof connectionSchema>;
export type ConnectionCheck = z.infer<typeof check>;
