import { withKnownCodes, type FieldCode } from "@/lib/platform/http/model/field-errors";
import type {
  ClientProblem,
  RequestFailure,
  JsonAnswer,
} from "@/lib/platform/http/client/fetch-json";
import { isFaultCode, type FaultCode } from "@/lib/platform/payment-service/model/fault";
import * as z from "zod/mini";
import {
  connectionSchema,
  waitingSchema,
  type Connection,
} from "@/lib/connection/model/connection";

/** How a replacement ended, as far as the browser can know. */
export type ReplaceAnswer =
  | { kind: "saved"; connection: Connection }
  /** It waits for a second admin; nothing was changed. */
  | { kind: "waiting"; connection: Connection }
  /** A proposal that the person had not seen waits; nothing was changed. */
  | { kind: "pending"; connection: Connection }
  /** The credentials do not work now, so nothing was changed; the person may send them again with `saveUnchecked`. */
  | { kind: "not_working"; problem: ClientProblem & { code: FaultCode } }
  /** Somebody changed the connection since the form was opened; nothing was changed. */
  | { kind: "stale"; connection: Connection }
  | { kind: "fields"; errors: { path: string; code: FieldCode }[] }
  /** Refused before anything was changed, or never sent. */
  | { kind: "refused"; failure: RequestFailure }
  /** No answer of Gancho's, or an unclear one: the replacement may have happened. */
  | { kind: "lost"; problem: ClientProblem | null };

const currentMembers = z.object({ connection: connectionSchema });

/** Reads the answer to `PUT …/connection`. */
export function readReplaceAnswer(answer: JsonAnswer): ReplaceAnswer {
  if (answer.kind === "no_answer")
    return answer.unsent ? { kind: "refused", failure: answer } : { kind: "lost", problem: null };
  if (answer.kind === "ok") {
    const waiting = waitingSchema.safeParse(answer.body);
    if (waiting.success) return { kind: "waiting", connection: waiting.data.connection };
    const connection = connectionSchema.safeParse(answer.body);
    return connection.success
      ? { kind: "saved", connection: connection.data }
      : { kind: "lost", problem: null };
  }
  const { problem } = answer;
  const { code } = problem;
  if (isFaultCode(code) && problem.applied === "no")
    return { kind: "not_working", problem: { ...problem, code } };
  if (code === "stale_revision" || code === "proposal_pending") {
    const kind = code === "stale_revision" ? "stale" : "pending";
    const current = currentMembers.safeParse(problem.members);
    if (current.success) return { kind, connection: current.data.connection };
  }
  if (code === "invalid_fields" && problem.errors?.length)
    return { kind: "fields", errors: withKnownCodes(problem.errors) };
  const nothingDone = problem.applied === "no" || problem.status < 500;
  return nothingDone ? { kind: "refused", failure: answer } : { kind: "lost", problem };
}
