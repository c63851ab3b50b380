import { withKnownCodes, type FieldCode } from "@/lib/field-errors";
import type { ClientProblem, JsonAnswer } from "@/lib/fetch-json";
import * as z from "zod/mini";
import {
  configurationSchema,
  saveResultSchema,
  waitingResultSchema,
  type Configuration,
  type SaveResult,
  type WaitingResult,
} from "./configuration";

/** Why the service's answer is ambiguous. */
export const ambiguities = ["unclear_not_found", "duplicate"] as const;
export type Ambiguity = (typeof ambiguities)[number];

/** What the service holds is what was asked for. */
export type DoneResult = SaveResult & { outcome: "saved" | "unchanged" };

/** How a save ended, as far as the browser can know. */
export type SaveAnswer =
  | { kind: "done"; result: DoneResult }
  /** Partly saved, not saved or unknown, after reading back; the problem says why. */
  | { kind: "not_done"; result: SaveResult; problem: ClientProblem }
  /** Somebody changed it since the form was opened; nothing was sent. */
  | { kind: "stale"; configuration: Configuration }
  /** Nothing was sent: a second person has to approve it. */
  | { kind: "waiting"; result: WaitingResult }
  /** Nothing was written down either: somebody else's proposal waits, which is in the configuration now. */
  | { kind: "pending"; configuration: Configuration; problem: ClientProblem }
  /** To be sent again with `confirm`, if it is meant; nothing was sent. */
  | { kind: "confirm"; reason: Ambiguity }
  /** Some fields were refused; nothing was sent. */
  | { kind: "fields"; errors: { path: string; code: FieldCode }[] }
  /** Refused or failed before anything was sent to the service. */
  | { kind: "refused"; problem: ClientProblem }
  /** No answer of Gancho's, or one that does not say: it may have happened. */
  | { kind: "lost"; problem: ClientProblem | null };

const staleMembers = z.object({ configuration: configurationSchema });
const confirmMembers = z.object({ reason: z.enum(ambiguities) });

/** Reads the answer to `POST …/webhooks` (architecture: "The dashboard's own HTTP interface"). */
export function readSaveAnswer(answer: JsonAnswer): SaveAnswer {
  if (answer.kind === "no_answer") return { kind: "lost", problem: null };
  if (answer.kind === "problem") return readProblem(answer.problem);
  const waiting = waitingResultSchema.safeParse(answer.body);
  if (waiting.success) return { kind: "waiting", result: waiting.data };
  const result = saveResultSchema.safeParse(answer.body).data;
  return result && isDone(result) ? { kind: "done", result } : { kind: "lost", problem: null };
}

export function isDone(result: SaveResult): result is DoneResult {
  return result.outcome === "saved" || result.outcome === "unchanged";
}

function readProblem(problem: ClientProblem): SaveAnswer {
  const result = saveResultSchema.safeParse(problem.members);
  if (result.success) return { kind: "not_done", result: result.data, problem };

  if (problem.code === "stale_revision") {
    const stale = staleMembers.safeParse(problem.members);
    if (stale.success) return { kind: "stale", configuration: stale.data.configuration };
  }
  if (problem.code === "proposal_pending") {
    const pending = staleMembers.safeParse(problem.members);
    if (pending.success) return { kind: "pending", ...pending.data, problem };
  }
  if (problem.code === "confirmation_required") {
    const confirm = confirmMembers.safeParse(problem.members);
    if (confirm.success) return { kind: "confirm", reason: confirm.data.reason };
  }
  if (problem.code === "invalid_fields" && problem.errors?.length)
    return { kind: "fields", errors: withKnownCodes(problem.errors) };
  const nothingSent = problem.applied === "no" || problem.status < 500;
  return nothingSent ? { kind: "refused", problem } : { kind: "lost", problem };
}
