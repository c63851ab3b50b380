"use client";

import { askDecision, type DecisionAnswer } from "@/lib/webhooks/client/ask-decision";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import { configurationQuery, keepConfiguration } from "@/lib/webhooks/client/query";
import { useQueryClient } from "@tanstack/react-query";

/** Decides, once; whatever came of it, the screen shows what is so afterwards. */
export function useDecision(
  place: { partner: string; environment: string },
  proposal: string,
): (decision: Decision, sign: boolean) => Promise<DecisionAnswer> {
  const client = useQueryClient();
  return async (decision, sign) => {
    const answer = await askDecision(place, proposal, decision, sign);
    const { queryKey } = configurationQuery(place.partner, place.environment);
    const configuration = answer.kind === "done" ? answer.result.configuration : null;
    if (configuration) keepConfiguration(client, configuration);
    else await client.invalidateQueries({ queryKey });
    return answer;
  };
}
