import { isProblemCode, type ProblemCode } from "@/lib/platform/http/model/problem-code";
import * as z from "zod/mini";

const check = z.object({
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The person's name; null: the operator at the terminal. */
  by: z.nullable(z.string()),
  ok: z.boolean(),
  /** Why they do not work; null when they do. */
  code: z.nullable(z.custom<ProblemCode>(isProblemCode)),
  /** The HTTP status the service answered, if any. */
  upstreamStatus: z.nullable(z.number()),
  /** The service's message, as plain text of at most 200 characters. */
  upstreamText: z.nullable(z.string()),
  /** When it is worth trying again, ISO 8601; null when not known. */
  retryAt: z.nullable(z.string()),
  requestId: z.string(),
  /** False when the credentials were replaced after this check. */
  current: z.boolean(),
});

/** New credentials that wait for a second admin. Never contains the proposed secret itself. */
const proposal = z.object({
  id: z.string(),
  clientIdBefore: z.string(),
  clientId: z.string(),
  /** False: the secret in use stays. */
  secretReplaced: z.boolean(),
  /** Why they did not work when they were proposed; null: they worked. */
  fault: z.nullable(z.custom<ProblemCode>(isProblemCode)),
  /** What the author wrote to the approver. */
  reason: z.nullable(z.string()),
  by: z.object({ id: z.string(), name: z.string() }),
  at: z.string(),
  expiresAt: z.string(),
  /** The version that they are to replace. Outdated where it is not the current one. */
  baseVersion: z.number(),
  /** Who counts as a second admin for it now; null where its author is no longer an admin. */
  approvers: z.nullable(z.array(z.object({ id: z.string(), name: z.string() }))),
});

/**
 * The API connection as `GET|PUT …/connection` and `POST …/connection/check` answer it, parsed in the browser and built
 * on the server. Never contains the client secret itself.
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
  /** The second admin, where `changedBy` only proposed it. */
  approvedBy: z.nullable(z.string()),
  /** Whether replacing these credentials takes a second admin. */
  fourEyes: z.boolean(),
  proposal: z.nullable(proposal),
  lastCheck: z.nullable(check),
  /** Where the payment service is, as the operator configured it. */
  serviceUrl: z.string(),
  /**
   * The address that Gancho calls from, which the service has to allow (contract 5.5); null when the operator has not
   * configured it.
   */
  publicAddress: z.nullable(z.string()),
});

/** A replacement that waits for a second admin instead: nothing was changed. */
export const waitingSchema = z.object({
  outcome: z.literal("waiting"),
  connection: connectionSchema,
});

export type CredentialsProposal = z.infer<typeof proposal>;
export type Waiting = z.infer<typeof waitingSchema>;
export type Connection = z.infer<typeof connectionSchema>;
export type ConnectionCheck = z.infer<typeof check>;
