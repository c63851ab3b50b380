"use client";

import { configurationQuery } from "@/lib/webhooks/query";
import { askToReveal, type RevealAnswer } from "@/lib/webhooks/reveal-answer";
import type { Revealed } from "@/lib/webhooks/revealed";
import type { WebhookType } from "@/lib/webhooks/types";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

type Step =
  | {
      kind: "ask";
      passwordNeeded: boolean;
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
  /** The password was given a moment ago. */
  passwordCounts: boolean;
  onPasswordGiven: () => void;
};

/** Asks for a value and holds it while it is shown: here and nowhere else. */
export function useReveal(input: RevealInput) {
  const { partner, environment, type, fingerprint, passwordCounts, onPasswordGiven } = input;
  const client = useQueryClient();
  const [stoodFor, setStoodFor] = useState(fingerprint);
  const [pending, setPending] = useState(false);
  const [step, setStep] = useState<Step>({
    kind: "ask",
    passwordNeeded: !passwordCounts,
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
      if (password !== undefined) onPasswordGiven();
      const changed = answer.revealed.fingerprint !== stoodFor;
      setStoodFor(answer.revealed.fingerprint);
      setStep({ kind: "shown", revealed: answer.revealed, changed });
      // The page tells of the reveal, and of what may have changed: not of the value.
      const { queryKey } = configurationQuery(partner, environment);
      void client.invalidateQueries({ queryKey });
    } else {
      const passwordNeeded = password !== undefined || answer.kind === "password_needed";
      setStep({ kind: "ask", passwordNeeded, refused: answer });
    }
  }

  return { step, pending, ask, hide: () => setStep({ kind: "over" }) };
}
