"use client";

import { type ClientProblem, fetchJson } from "@/lib/platform/http/client/fetch-json";
import type { SaveResult } from "@/lib/webhooks/model/configuration";
import { readSaveAnswer, type SaveAnswer } from "./save-answer";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { configurationQuery, keepConfiguration } from "./query";
import { useQueryClient } from "@tanstack/react-query";

/** Approving saves, which ends within about 20 s. */
const timeout = 25_000;

/** The outcome of a decision; of an approval, as of a save. */
export type DecisionAnswer =
  | Extract<SaveAnswer, { kind: "not_done" | "unsent" | "lost" }>
  /** Approved: saved, or accepted by the service. */
  | { kind: "done"; result: SaveResult }
  /** Rejected or withdrawn. */
  | { kind: "ended" }
  /** Nothing was sent to the service; the proposal still waits, or had ended already. */
  | { kind: "refused"; problem: ClientProblem };

/** Approves, rejects or withdraws, once. Never throws. */
async function askDecision(
  { partner, environment }: { partner: string; environment: string },
  proposal: string,
  decision: Decision,
): Promise<DecisionAnswer> {
  const path = ["partners", partner, environment, "proposals", proposal].map(encodeURIComponent);
  const address = `/api/${path.join("/")}`;
  const answer = await fetchJson(address, { body: decision, timeout });
  if (answer.kind === "ok" && decision.decision !== "approve") return { kind: "ended" };
  const read = readSaveAnswer(answer);
  if (read.kind === "done" || read.kind === "accepted") return { ...read, kind: "done" };
  if (read.kind === "not_done" || read.kind === "unsent" || read.kind === "lost") return read;
  return answer.kind === "problem"
    ? { kind: "refused", problem: answer.problem }
    : { kind: "lost", problem: null };
}

/** Decides, once; whatever the result, the screen then shows the current state. */
export function useDecision(
  environmentRef: { partner: string; environment: string },
  proposal: string,
): (decision: Decision) => Promise<DecisionAnswer> {
  const client = useQueryClient();
  return async (decision) => {
    const answer = await askDecision(environmentRef, proposal, decision);
    const { queryKey } = configurationQuery(environmentRef.partner, environmentRef.environment);
    const configuration = answer.kind === "done" ? answer.result.configuration : null;
    if (configuration) keepConfiguration(client, configuration);
    else await client.invalidateQueries({ queryKey });
    return answer;
  };
}
