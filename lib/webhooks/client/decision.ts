"use client";

import { apiPath, fetchJson } from "@/lib/platform/http/client/fetch-json";
import { configurationIn, readSaveAnswer, type SaveAnswer } from "./save-answer";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { configurationQuery, keepConfiguration } from "./query";
import { useQueryClient } from "@tanstack/react-query";

/** Approving saves, which ends within about 20 s. */
const timeout = 25_000;

/** The outcome of a decision: of the save for an approval; `ended` for rejecting or withdrawing. */
export type DecisionAnswer = SaveAnswer | { kind: "ended" };

/** Approves, rejects or withdraws, once. Never throws. */
async function askDecision(
  { partner, environment }: { partner: string; environment: string },
  proposal: string,
  decision: Decision,
): Promise<DecisionAnswer> {
  const path = apiPath("partners", partner, environment, "proposals", proposal);
  const answer = await fetchJson(path, { body: decision, timeout });
  if (answer.kind === "ok" && decision.decision !== "approve") return { kind: "ended" };
  return readSaveAnswer(answer);
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
    const configuration = answer.kind === "ended" ? null : configurationIn(answer);
    if (configuration) keepConfiguration(client, configuration);
    else await client.invalidateQueries({ queryKey });
    return answer;
  };
}
