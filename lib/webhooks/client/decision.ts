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

/**
 * Approves, rejects or withdraws, once; whatever the result, the screen then shows the current state. Never throws.
 */
export function useDecision(
  { partner, environment }: { partner: string; environment: string },
  proposal: string,
): (decision: Decision) => Promise<DecisionAnswer> {
  const client = useQueryClient();
  const { queryKey } = configurationQuery(partner, environment);
  return async (decision) => {
    const path = apiPath("partners", partner, environment, "proposals", proposal);
    const read = await fetchJson(path, { body: decision, timeout });
    const isEnded = read.kind === "ok" && decision.decision !== "approve";
    const answer: DecisionAnswer = isEnded ? { kind: "ended" } : readSaveAnswer(read);
    const configuration = answer.kind === "ended" ? null : configurationIn(answer);
    if (configuration) keepConfiguration(client, configuration);
    else await client.invalidateQueries({ queryKey });
    return answer;
  };
}
