"use client";

import { fetchJson, type Failure } from "@/lib/platform/http/client/fetch-json";
import { useRouter } from "next/navigation";
import { useState } from "react";

/** Milliseconds. */
const timeout = 15_000;

export type Change = {
  /** After `/api/account/`. */
  path: string;
  method?: "POST" | "PUT" | "DELETE";
  body: unknown;
};

/** Changes of the account, one at a time; the page is then drawn anew. Null where it failed, as `failure` says. */
export function useAccountChange<Answer>(answer: {
  safeParse: (body: unknown) => { data?: Answer | undefined };
}) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function change({ path, method = "POST", body }: Change): Promise<Answer | null> {
    setPending(true);
    setFailure(null);
    const given = await fetchJson(`/api/account/${path}`, { method, body, timeout });
    setPending(false);
    const read = given.kind === "ok" ? answer.safeParse(given.body).data : undefined;
    // Also where no answer came: it may have happened all the same.
    if (read !== undefined || given.kind === "no_answer") router.refresh();
    if (read !== undefined) return read;
    setFailure(given.kind === "problem" ? given : { kind: "no_answer" });
    return null;
  }

  return { pending, failure, change };
}

/** The code of a refused field, or null. */
export function fieldCode(failure: Failure | null, path: string): string | null {
  if (failure?.kind !== "problem") return null;
  return failure.problem.errors?.find((error) => error.path === path)?.code ?? null;
}
