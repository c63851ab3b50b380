"use client";

import { askDecision, type DecisionAnswer } from "@/lib/webhooks/proposals/ask-decision";
import type { Decision } from "@/lib/webhooks/proposals/decision";
import { configurationQuery } from "@/lib/webhooks/query";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

type DecisionInput = {
  place: { partner: string; environment: string };
  proposal: string;
  decision: Decision["decision"];
};

/** Decides, once; whatever came of it, the screen shows what is so afterwards. */
export function useDecision({ place, proposal, decision }: DecisionInput) {
  const client = useQueryClient();
  const [pending, setPending] = useState(false);

  /** `sign`: with a passkey, where the person has one. */
  async function decide(sign: boolean): Promise<DecisionAnswer> {
    setPending(true);
    const answer = await askDecision(place, proposal, decision, sign);
    const { queryKey } = configurationQuery(place.partner, place.environment);
    // A look that began before must not put its older answer over what comes now.
    await client.cancelQueries({ queryKey });
    const configuration = answer.kind === "done" ? answer.result.configuration : null;
    if (configuration) client.setQueryData(queryKey, configuration);
    else await client.invalidateQueries({ queryKey });
    setPending(false);
    return answer;
  }

  return { pending, decide };
}
