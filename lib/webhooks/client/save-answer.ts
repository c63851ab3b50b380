import { withKnownCodes, type FieldCode } from "@/lib/platform/http/model/field-errors";
import type { ClientProblem, JsonAnswer } from "@/lib/platform/http/client/fetch-json";
import { isProblemCode, type ProblemCode } from "@/lib/platform/http/model/problem-code";
import * as z from "zod/mini";
import {
  configurationSchema,
  noResultSchema,
  saveResultSchema,
  waitingResultSchema,
  type Configuration,
  type NoResult,
  type SaveResult,
  type WaitingResult,
} from "@/lib/webhooks/model/configuration";

/** Why the service's answer is ambiguous. */
const ambiguities = ["unclear_not_found", "duplicate"] as const;
export type Ambiguity = (typeof ambiguities)[number];

/** The service holds the desired state. */
type DoneResult = SaveResult & { outcome: "saved" | "unchanged" };

/** The code alone, where no problem answered: the catalogue's words need no more. */
export type Why = Pick<ClientProblem, "code"> & Partial<ClientProblem>;

/** How a save ended, as far as the browser can know. */
export type SaveAnswer =
  | { kind: "done"; result: DoneResult }
  /** The service acknowledged it and does not show it yet. */
  | { kind: "accepted"; result: SaveResult }
  /** Partly saved, not saved or unknown, after reading back; the problem says why. */
  | { kind: "not_done"; result: SaveResult; problem: Why }
  /** Somebody changed it since the form was opened; nothing was sent. */
  | { kind: "stale"; configuration: Configuration }
  /** Nothing was sent: a second person has to approve it. */
  | { kind: "waiting"; result: WaitingResult }
  /** Nothing was stored either: somebody else's proposal waits, which is in the configuration now. */
  | { kind: "pending"; configuration: Configuration; problem: ClientProblem }
  /** Nothing was sent; the person may send it again with `confirm`. */
  | { kind: "confirm"; reason: Ambiguity }
  /** Some fields were refused; nothing was sent. */
  | { kind: "fields"; errors: { path: string; code: FieldCode }[] }
  /** Refused or failed before anything was sent to the service. */
  | { kind: "refused"; problem: ClientProblem }
  /** The browser had no network: nothing left it. */
  | { kind: "unsent" }
  /** No answer of Gancho's, or one that does not say: it may have happened. */
  | { kind: "lost"; problem: ClientProblem | null };

/** The outcome of a save, found by its id. */
export type OperationAnswer =
  | Extract<SaveAnswer, { kind: "done" | "accepted" | "not_done" | "waiting" }>
  /** There is no result; the schema says what each of them means. */
  | { kind: NoResult["outcome"]; configuration: Configuration }
  /** The outcome could not be read. */
  | { kind: "failed"; problem: ClientProblem | null };

const staleMembers = z.object({ configuration: configurationSchema });
const confirmMembers = z.object({ reason: z.enum(ambiguities) });

/** Reads the answer to `POST …/webhooks` (architecture: "The dashboard's own HTTP interface"). */
export function readSaveAnswer(answer: JsonAnswer): SaveAnswer {
  if (answer.kind === "no_answer")
    return answer.unsent ? { kind: "unsent" } : { kind: "lost", problem: null };
  if (answer.kind === "problem") return readProblem(answer.problem);
  const waiting = waitingResultSchema.safeParse(answer.body);
  if (waiting.success) return { kind: "waiting", result: waiting.data };
  const result = saveResultSchema.safeParse(answer.body).data;
  if (result && isDone(result)) return { kind: "done", result };
  return result?.outcome === "accepted"
    ? { kind: "accepted", result }
    : { kind: "lost", problem: null };
}

/** Reads the answer to `GET …/operations/{operation}`: a success, whatever the outcome of the save. */
export function readOperationAnswer(answer: JsonAnswer): OperationAnswer {
  if (answer.kind === "no_answer") return { kind: "failed", problem: null };
  if (answer.kind === "problem") return { kind: "failed", problem: answer.problem };
  const none = noResultSchema.safeParse(answer.body);
  if (none.success) return { kind: none.data.outcome, configuration: none.data.configuration };
  const result = saveResultSchema.safeParse(answer.body).data;
  if (result && !isDone(result) && result.outcome !== "accepted")
    return { kind: "not_done", result, problem: { code: whyOf(result) } };
  const read = readSaveAnswer(answer);
  return read.kind === "done" || read.kind === "accepted" || read.kind === "waiting"
    ? read
    : { kind: "failed", problem: null };
}

function isDone(result: SaveResult): result is DoneResult {
  return result.outcome === "saved" || result.outcome === "unchanged";
}

/** Where the answer itself gives no reason: from the history, or by the outcome alone. */
function whyOf({ configuration, requestId, outcome }: SaveResult): ProblemCode {
  const entry = configuration?.recentChanges.find((each) => each.requestId === requestId);
  if (isProblemCode(entry?.reason)) return entry.reason;
  if (outcome === "partial") return "partly_saved";
  return outcome === "unknown" ? "outcome_unknown" : "not_saved";
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
