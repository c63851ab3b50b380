"use client";

import { proveWithPasskey } from "@/lib/account/client/prove";
import { configurationQuery } from "@/lib/webhooks/client/query";
import { askToReveal, type RevealAnswer } from "@/lib/webhooks/client/reveal-answer";
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
  /** `changed`: it is another one than the page stood for. */
  | { kind: "shown"; revealed: Revealed; changed: boolean }
  | { kind: "over" };

type RevealInput = {
  partner: string;
  environment: string;
  type: WebhookType;
  /** Of the value that the page stands for. */
  fingerprint: string | null;
  /** It was proved a moment ago that it is they. */
  proofCounts: boolean;
  onProof: () => void;
};

/** Asks for a value and holds it while it is shown: here and nowhere else. */
export function useReveal(input: RevealInput) {
  const { partner, environment, type, fingerprint, proofCounts, onProof } = input;
  const client = useQueryClient();
  const [stoodFor, setStoodFor] = useState(fingerprint);
  const [pending, setPending] = useState(false);
  const [step, setStep] = useState<Step>({
    kind: "ask",
    proofNeeded: !proofCounts,
    refused: null,
  });

  /** `password`: left out where it counts from before. */
  async function ask(password?: string) {
    if (pending) return;
    setPending(true);
    const place = { partner, environment, type };
    const answer = await askToReveal(place, password === undefined ? {} : { password });
    setPending(false);
    if (answer.kind === "revealed") {
      if (password !== undefined) onProof();
      const changed = answer.revealed.fingerprint !== stoodFor;
      setStoodFor(answer.revealed.fingerprint);
      setStep({ kind: "shown", revealed: answer.revealed, changed });
      // The page tells of the reveal, and of what may have changed: not of the value.
      const { queryKey } = configurationQuery(partner, environment);
      void client.invalidateQueries({ queryKey });
    } else {
      const proofNeeded = password !== undefined || answer.kind === "password_needed";
      setStep({ kind: "ask", proofNeeded, refused: answer });
    }
  }

  /** The same by a passkey, which is asked for first. */
  async function askWithPasskey() {
    if (pending) return;
    setPending(true);
    const proof = await proveWithPasskey();
    setPending(false);
    if (proof.kind !== "given") return setStep({ kind: "ask", proofNeeded: true, refused: proof });
    onProof();
    await ask();
  }

  return { step, pending, ask, askWithPasskey, hide: () => setStep({ kind: "over" }) };
}
