import { fetchJson } from "@/lib/fetch-json";
import { readSaveAnswer, type SaveAnswer } from "@/lib/webhooks/save-answer";
import type { Decision } from "./decision";

/** Approving saves, which ends within about 20 s. */
const timeout = 25_000;

export type DecisionAnswer = SaveAnswer | { kind: "ended" };

/** Approves, rejects or withdraws, once. What comes back is what a save answers, or that it ended. */
export async function askDecision(
  { partner, environment }: { partner: string; environment: string },
  proposal: string,
  decision: Decision["decision"],
): Promise<DecisionAnswer> {
  const path = ["partners", partner, environment, "proposals", proposal].map(encodeURIComponent);
  const answer = await fetchJson(`/api/${path.join("/")}`, { body: { decision }, timeout });
  if (answer.kind === "ok" && decision !== "approve") return { kind: "ended" };
  return readSaveAnswer(answer);
}
