"use client";

import { proveWithPasskey } from "@/lib/account/client/prove";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { configurationQuery } from "@/lib/webhooks/client/query";
import { requestReveal, type RevealAnswer } from "@/lib/webhooks/client/reveal-answer";
import type { Revealed } from "@/lib/webhooks/model/revealed";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

type Step =
  | {
      kind: "ask";
      proofNeeded: boolean;
      refused: Exclude<RevealAnswer, { kind: "revealed" }> | null;
    }
  /** `changed`: it is not the value that the page stood for. */
  | { kind: "shown"; revealed: Revealed; changed: boolean }
  | { kind: "over" };

type RevealInput = {
  partner: string;
  environment: string;
  type: WebhookType;
  /** The fingerprint of the value that the page stands for. */
  fingerprint: string | null;
  /** The person proved their identity a short time ago. */
  proofCounts: boolean;
  onProof: () => void;
};

/** Reads a value and holds it while it is shown: here and nowhere else. */
export function useReveal(input: RevealInput) {
  const { partner, environment, type, fingerprint, proofCounts, onProof } = input;
  const client = useQueryClient();
  const [stoodFor, setStoodFor] = useState(fingerprint);
  // The task keeps the value to itself: a mutation's own answer would stay for as long as the dialog.
  const { pending, send: once } = useApiMutation((task: () => Promise<void>) => task());
  const [step, setStep] = useState<Step>({
    kind: "ask",
    proofNeeded: !proofCounts,
    refused: null,
  });

  /** `password`: left out where an earlier one still counts. */
  async function reveal(password?: string) {
    const params = { partner, environment, type };
    const answer = await requestReveal(params, password === undefined ? {} : { password });
    if (answer.kind === "revealed") {
      if (password !== undefined) onProof();
      const changed = answer.revealed.fingerprint !== stoodFor;
      setStoodFor(answer.revealed.fingerprint);
      setStep({ kind: "shown", revealed: answer.revealed, changed });
      // The page refreshes for the reveal, and for what may have changed: not for the value.
      const { queryKey } = configurationQuery(partner, environment);
      void client.invalidateQueries({ queryKey });
    } else {
      const proofNeeded = password !== undefined || answer.kind === "password_needed";
      setStep({ kind: "ask", proofNeeded, refused: answer });
    }
  }

  /** The same with a passkey, which the browser asks for first. */
  async function revealWithPasskey() {
    const proof = await proveWithPasskey();
    if (proof.kind !== "given") return setStep({ kind: "ask", proofNeeded: true, refused: proof });
    onProof();
    await reveal();
  }

  return {
    step,
    pending,
    submit: (password?: string) => once(() => reveal(password)),
    submitWithPasskey: () => once(revealWithPasskey),
    hide: () => setStep({ kind: "over" }),
  };
}
