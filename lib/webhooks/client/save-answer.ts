import type {
  ClientProblem,
  JsonAnswer,
  RequestFailure,
} from "@/lib/platform/http/client/fetch-json";
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

/** The code alone where there was no problem document: the messages need no more. */
export type Why = Pick<ClientProblem, "code"> & Partial<ClientProblem>;

/** What Gancho has recorded of a save. `problem`: why it did not succeed; null where it did, may still, or waits. */
type Recorded = { kind: "recorded"; result: SaveResult | WaitingResult; problem: Why | null };

/** What became of a save, as far as the browser can know. */
export type SaveAnswer =
  | Recorded
  /** Nothing was sent. `configuration`: what is registered now, where the problem contains it. */
  | { kind: "refused"; problem: ClientProblem; configuration: Configuration | null }
  /** The browser had no network and sent nothing. */
  | { kind: "unsent" }
  /** No answer of Gancho's, or an unclear one: the save may have happened. */
  | { kind: "lost"; problem: ClientProblem | null };

/** The outcome of a save, found by its id. */
export type OperationAnswer =
  | Recorded
  /** There is no result; the schema says what each of them means. */
  | { kind: "none"; outcome: NoResult["outcome"]; configuration: Configuration }
  /** The outcome could not be read. */
  | { kind: "failed"; failure: RequestFailure };

/** Reads the answer to `POST …/webhooks`. */
export function readSaveAnswer(answer: JsonAnswer): SaveAnswer {
  if (answer.kind === "no_answer")
    return answer.unsent ? { kind: "unsent" } : { kind: "lost", problem: null };
  if (answer.kind === "ok") return readRecorded(answer.body) ?? { kind: "lost", problem: null };
  const { problem } = answer;
  const recorded = readRecorded(problem.members);
  if (recorded) return { ...recorded, problem };
  if (problem.applied !== "no" && problem.status >= 500) return { kind: "lost", problem };
  const members = z.object({ configuration: configurationSchema }).safeParse(problem.members);
  return { kind: "refused", problem, configuration: members.data?.configuration ?? null };
}

/** Reads the answer to `GET …/operations/{operation}`: a success, whatever the outcome of the save. */
export function readOperationAnswer(answer: JsonAnswer): OperationAnswer {
  if (answer.kind !== "ok") return { kind: "failed", failure: answer };
  const none = noResultSchema.safeParse(answer.body).data;
  if (none) return { kind: "none", outcome: none.outcome, configuration: none.configuration };
  return readRecorded(answer.body) ?? { kind: "failed", failure: { kind: "no_answer" } };
}

function readRecorded(body: unknown): Recorded | null {
  const waiting = waitingResultSchema.safeParse(body).data;
  if (waiting) return { kind: "recorded", result: waiting, problem: null };
  const result = saveResultSchema.safeParse(body).data;
  if (!result) return null;
  const succeeds = ["saved", "unchanged", "accepted", "partly"].includes(result.outcome);
  return { kind: "recorded", result, problem: succeeds ? null : { code: whyOf(result) } };
}

/** The configuration to show from now on; null where it has to be read. */
export function configurationIn(answer: SaveAnswer | OperationAnswer): Configuration | null {
  if ("result" in answer) return answer.result.configuration;
  return "configuration" in answer ? answer.configuration : null;
}

/** Why the person has to confirm the save, which they may send again with `confirm`. */
export function ambiguityIn({ code, members }: ClientProblem): Ambiguity | null {
  if (code !== "confirmation_required") return null;
  return z.object({ reason: z.enum(ambiguities) }).safeParse(members).data?.reason ?? null;
}

function whyOf({ reason, outcome, results }: SaveResult): ProblemCode {
  if (results.some((each) => each.outcome === "saved")) return "partly_saved";
  if (outcome === "unclear" || outcome === "not_shown") return "outcome_unknown";
  return isProblemCode(reason) ? reason : "not_saved";
}
