import { fetchJson, type ClientProblem } from "@/lib/fetch-json";
import type { SaveResult } from "@/lib/webhooks/configuration";
import { readSaveAnswer, type SaveAnswer } from "@/lib/webhooks/save-answer";
import type { Decision } from "./decision";

/** Approving saves, which ends within about 20 s. */
const timeout = 25_000;

/** What came of a decision; of an approval, as of a save. */
export type DecisionAnswer =
  | Extract<SaveAnswer, { kind: "not_done" | "lost" }>
  /** Approved: saved, or accepted by the service. */
  | { kind: "done"; result: SaveResult }
  /** Rejected or withdrawn. */
  | { kind: "ended" }
  /** Nothing was sent to the service, and it waits as before, or had ended already. */
  | { kind: "refused"; problem: ClientProblem };

/** Approves, rejects or withdraws, once. Never throws. */
export async function askDecision(
  { partner, environment }: { partner: string; environment: string },
  proposal: string,
  decision: Decision,
): Promise<DecisionAnswer> {
  const path = ["partners", partner, environment, "proposals", proposal].map(encodeURIComponent);
  const answer = await fetchJson(`/api/${path.join("/")}`, { body: decision, timeout });
  if (answer.kind === "ok" && decision.decision !== "approve") return { kind: "ended" };
  const read = readSaveAnswer(answer);
  if (read.kind === "done" || read.kind === "accepted") return { ...read, kind: "done" };
  if (read.kind === "not_done" || read.kind === "lost") return read;
  return answer.kind === "problem"
    ? { kind: "refused", problem: answer.problem }
    : { kind: "lost", problem: null };
}
