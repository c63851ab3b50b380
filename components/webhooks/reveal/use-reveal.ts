"use client";

import { type Failure, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { configurationQuery, webhooksPath } from "@/lib/webhooks/client/query";
import { revealedSchema, type Revealed } from "@/lib/webhooks/model/revealed";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

type Step =
  /** `proves`: by a proof of identity, which goes on to the reveal. */
  | { kind: "ask"; proves: boolean; failure: Failure | null }
  /** `changed`: it is not the value that the page stood for. */
  | { kind: "shown"; revealed: Revealed; changed: boolean }
  | { kind: "over"; failure: null };

type RevealInput = {
  partner: string;
  environment: string;
  type: WebhookType;
  /** The fingerprint of the value that the page stands for. */
  fingerprint: string | null;
  /** The person proved their identity a short time ago. */
  proofCounts: boolean;
};

/** The service may take ten seconds. */
const timeout = 25_000;

/** Reads a value and holds it while it is shown: here and nowhere else. */
export function useReveal({ partner, environment, type, fingerprint, proofCounts }: RevealInput) {
  const client = useQueryClient();
  const [stoodFor, setStoodFor] = useState(fingerprint);
  // The task keeps the value to itself: a mutation's own answer would stay for as long as the dialog.
  const { pending, send: once } = useApiMutation((task: () => Promise<void>) => task());
  const [step, setStep] = useState<Step>({ kind: "ask", proves: !proofCounts, failure: null });

  async function reveal() {
    setStep((before) => (before.kind === "ask" ? { ...before, proves: false } : before));
    const answer = await sendJson(`${webhooksPath(partner, environment)}/${type}/reveal`, {
      body: {},
      timeout,
      stepsUp: true,
      parse: (body) => revealedSchema.safeParse(body).data,
    });
    if (answer.kind === "done") {
      const changed = answer.result.fingerprint !== stoodFor;
      setStoodFor(answer.result.fingerprint);
      setStep({ kind: "shown", revealed: answer.result, changed });
      // The page refreshes for the reveal, and for what may have changed: not for the value.
      const { queryKey } = configurationQuery(partner, environment);
      void client.invalidateQueries({ queryKey });
      return;
    }
    const { failure } = answer;
    const proves =
      failure.kind === "problem" && failure.problem.code === "reauthentication_required";
    setStep({ kind: "ask", proves, failure: proves ? null : failure });
  }

  return {
    step,
    pending,
    submit: () => once(reveal),
    hide: () => setStep({ kind: "over", failure: null }),
  };
}
