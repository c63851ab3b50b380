"use client";

import { onlineManager, useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import type { RequestFailure } from "./fetch-json";

type Then<Answer> = {
  /** Read again after any outcome: even without an answer it may have happened. */
  invalidates?: QueryKey;
  /** The page is redrawn, unless it was refused. */
  refreshes?: boolean;
  /** Stores the answer where the screen reads it, before the caller continues. */
  onAnswer?: (answer: Answer) => void | Promise<void>;
};

/**
 * The only mutation hook: once, one at a time, never retried and never sent later by itself. `ask` does not throw: its
 * answer holds every outcome, and `failure` is what went wrong. `send` returns the answer, or null where another one is
 * in flight.
 */
export function useApiMutation<Input = void, Answer = unknown>(
  ask: (input: Input) => Promise<Answer>,
  { invalidates, refreshes = false, onAnswer }: Then<Answer> = {},
) {
  const client = useQueryClient();
  const router = useRouter();
  const inFlight = useRef(false);
  // The input may be a password: it never becomes part of the mutation's state.
  const toSend = useRef<{ input: Input } | null>(null);
  const { data, isPending, mutateAsync, reset } = useMutation<Answer>({
    retry: false,
    // An answer may hold what nobody else may see.
    gcTime: 0,
    // "Paused while offline" would send it later, when nobody expects it any more.
    networkMode: "always",
    mutationFn: async () => {
      const sent = toSend.current;
      toSend.current = null;
      if (!sent) throw new Error("Nothing to send.");
      const answer = await ask(sent.input);
      await onAnswer?.(answer);
      const isRefused = failureOf(answer)?.kind === "problem";
      if (refreshes && !isRefused) router.refresh();
      const read = invalidates && client.invalidateQueries({ queryKey: invalidates });
      // The screen shows the new data before the caller continues; without a network it would wait for one.
      if (onlineManager.isOnline()) await read;
      return answer;
    },
  });

  async function send(input: Input): Promise<Answer | null> {
    if (inFlight.current) return null;
    inFlight.current = true;
    toSend.current = { input };
    try {
      return await mutateAsync();
    } finally {
      inFlight.current = false;
    }
  }

  return {
    pending: isPending,
    /** Of the last one; null while one is in flight. */
    answer: data ?? null,
    failure: failureOf(data),
    send,
    /** Forgets the last answer. */
    reset,
  };
}

/** The failure in an answer, if any. */
function failureOf(answer: unknown): RequestFailure | null {
  const isFailed =
    typeof answer === "object" && answer !== null && "kind" in answer && answer.kind === "failed";
  return isFailed && "failure" in answer ? (answer.failure as RequestFailure) : null;
}

/** Navigates to a new page. Never resolves: the screen stays busy until the page is there. */
export function leaveFor(address: string | URL): Promise<never> {
  location.assign(address);
  return new Promise(() => {});
}
