"use client";

import { fetchJson, type Failure } from "@/lib/platform/http/client/fetch-json";
import {
  changedPartnerSchema,
  type ChangedPartner,
  type NewPartner,
  type PartnerChange,
} from "@/lib/partners/model/change-requests";
import { partnerKeys } from "@/lib/partners/client/keys";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/** Milliseconds. */
const timeout = 15_000;

type Change =
  { kind: "create"; body: NewPartner } | { kind: "change"; id: string; body: PartnerChange };

/** Creates or changes a partner, one thing at a time, and has the list read anew. */
export function useChangePartner() {
  const client = useQueryClient();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  /** What the partner is now; null where it failed, which `failure` then tells. */
  async function send(change: Change): Promise<ChangedPartner | null> {
    setPending(true);
    setFailure(null);
    const answer = await (change.kind === "create"
      ? fetchJson("/api/partners", { body: change.body, timeout })
      : fetchJson(`/api/partners/${change.id}`, { method: "PATCH", body: change.body, timeout }));
    setPending(false);
    // Also after a failure: without an answer it may have happened all the same.
    void client.invalidateQueries({ queryKey: partnerKeys.lists });
    const changed =
      answer.kind === "ok" ? changedPartnerSchema.safeParse(answer.body).data : undefined;
    if (changed) return changed;
    setFailure(answer.kind === "problem" ? answer : { kind: "no_answer" });
    return null;
  }

  return { pending, failure, send };
}

/** The code by which the server refused a field; null where it did not. */
export function refusedField(failure: Failure | null, path: string): string | null {
  if (failure?.kind !== "problem") return null;
  return failure.problem.errors?.find((error) => error.path === path)?.code ?? null;
}
