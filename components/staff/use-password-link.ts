"use client";

import { useLinkToken } from "@/components/layout/use-link-token";
import { type Failure, sendJson } from "@/lib/platform/http/client/fetch-json";
import {
  passwordChosenSchema,
  passwordLinkSchema,
  type PasswordLink,
} from "@/lib/staff/model/password-choice";
import { useState } from "react";

type LinkOver = Exclude<PasswordLink["state"], "open"> | "unknown";

export type Stage =
  | { kind: "loading" }
  | { kind: "open"; link: PasswordLink }
  | { kind: "over"; over: LinkOver }
  /** The request about the link brought no answer. */
  | { kind: "failed"; failure: Failure }
  | { kind: "chosen"; email: string };

/** Milliseconds. */
const timeout = 20_000;

/** Follows one link from its address to a password. */
export function usePasswordLink() {
  const [stage, setStage] = useState<Stage>({ kind: "loading" });
  const link = useLinkToken("gancho.password-link", async (token) =>
    setStage(token ? await readLink(token) : { kind: "over", over: "unknown" }),
  );

  /** Resolves to why it was refused, or null: then the stage changes. */
  async function choose(password: string): Promise<{ kind: "failed"; failure: Failure } | null> {
    const body = { token: link.token() ?? "", password };
    const chosen = await sendJson("/api/password-links/use", {
      body,
      timeout,
      parse: (answer) => passwordChosenSchema.safeParse(answer).data,
    });
    if (chosen.kind === "done") {
      link.forget();
      setStage({ kind: "chosen", email: chosen.result.email });
      return null;
    }
    const { failure } = chosen;
    if (failure.kind === "no_answer" || !isOver(failure.problem.code)) return chosen;
    await link.read();
    return null;
  }

  return { stage, reload: link.read, choose };
}

function isOver(code: string): boolean {
  return code === "invitation_over" || code === "not_found";
}

async function readLink(token: string): Promise<Stage> {
  const answer = await sendJson("/api/password-links/look", {
    body: { token },
    timeout,
    parse: (body) => passwordLinkSchema.safeParse(body).data,
  });
  if (answer.kind === "done") {
    const link = answer.result;
    return link.state === "open" ? { kind: "open", link } : { kind: "over", over: link.state };
  }
  const { failure } = answer;
  const isUnknown = failure.kind === "problem" && failure.problem.code === "not_found";
  return isUnknown ? { kind: "over", over: "unknown" } : answer;
}
