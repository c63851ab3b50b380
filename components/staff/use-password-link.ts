"use client";

import { useLinkToken } from "@/components/layout/use-link-token";
import { fetchJson, type Failure, type JsonAnswer } from "@/lib/platform/http/client/fetch-json";
import {
  passwordChosenSchema,
  passwordLinkSchema,
  type PasswordLink,
} from "@/lib/staff/model/password-choice";
import { useState } from "react";

export type LinkOver = Exclude<PasswordLink["state"], "open"> | "unknown";

export type Stage =
  | { kind: "looking" }
  | { kind: "open"; link: PasswordLink }
  | { kind: "over"; over: LinkOver }
  /** Looking brought no answer. */
  | { kind: "failed"; failure: Failure }
  | { kind: "chosen"; email: string };

/** Milliseconds. */
const timeout = 20_000;

/** Follows one link from its address to a password. */
export function usePasswordLink() {
  const [stage, setStage] = useState<Stage>({ kind: "looking" });
  const link = useLinkToken("gancho.password-link", async (token) =>
    setStage(token ? await lookAt(token) : { kind: "over", over: "unknown" }),
  );

  /** Resolves to why it was refused, or null: then the stage changes. */
  async function choose(password: string): Promise<Failure | null> {
    const body = { token: link.token() ?? "", password };
    const answer = await fetchJson("/api/password-links/use", { body, timeout });
    const chosen = answer.kind === "ok" ? passwordChosenSchema.safeParse(answer.body).data : null;
    if (chosen) {
      link.forget();
      setStage({ kind: "chosen", email: chosen.email });
      return null;
    }
    if (answer.kind === "problem" && isOver(answer.problem.code)) {
      await link.look();
      return null;
    }
    return answer.kind === "problem" ? answer : { kind: "no_answer" };
  }

  return { stage, look: link.look, choose };
}

function isOver(code: string): boolean {
  return code === "invitation_over" || code === "not_found";
}

async function lookAt(token: string): Promise<Stage> {
  const answer = await fetchJson("/api/password-links/look", { body: { token }, timeout });
  const link = readLink(answer);
  if (link) return link;
  if (answer.kind === "problem" && answer.problem.code === "not_found")
    return { kind: "over", over: "unknown" };
  return { kind: "failed", failure: answer.kind === "problem" ? answer : { kind: "no_answer" } };
}

function readLink(answer: JsonAnswer): Stage | null {
  const link = answer.kind === "ok" ? passwordLinkSchema.safeParse(answer.body).data : undefined;
  if (!link) return null;
  const { state } = link;
  return state === "open" ? { kind: "open", link } : { kind: "over", over: state };
}
