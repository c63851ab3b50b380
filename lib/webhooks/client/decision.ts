"use client";

import { type ClientProblem, fetchJson } from "@/lib/platform/http/client/fetch-json";
import type { SaveResult } from "@/lib/webhooks/model/configuration";
import { readSaveAnswer, type SaveAnswer } from "./save-answer";
import { type PasskeyFailure, signWithPasskey } from "@/lib/platform/auth/client/passkey-client";
import { challengeSchema, type Decision } from "@/lib/webhooks/model/proposals/decision";
import { configurationQuery, keepConfiguration } from "./query";
import { useQueryClient } from "@tanstack/react-query";

/** Approving saves, which ends within about 20 s. */
const timeout = 25_000;

/** The outcome of a decision; of an approval, as of a save. */
export type DecisionAnswer =
  | Extract<SaveAnswer, { kind: "not_done" | "unsent" | "lost" }>
  /** Approved: saved, or accepted by the service. */
  | { kind: "done"; result: SaveResult }
  /** The browser came back without a signature; nothing was sent. */
  | { kind: "no_passkey"; why: PasskeyFailure }
  /** Rejected or withdrawn. */
  | { kind: "ended" }
  /** Nothing was sent to the service; the proposal still waits, or had ended already. */
  | { kind: "refused"; problem: ClientProblem };

/**
 * Approves, rejects or withdraws, once. `sign`: an approver who has a passkey signs the change with it. Never throws.
 */
async function askDecision(
  { partner, environment }: { partner: string; environment: string },
  proposal: string,
  decision: Decision,
  sign: boolean,
): Promise<DecisionAnswer> {
  const path = ["partners", partner, environment, "proposals", proposal].map(encodeURIComponent);
  const address = `/api/${path.join("/")}`;
  const signed = decision.decision === "approve" && sign ? await requestSignature(address) : {};
  if ("kind" in signed) return signed;
  const answer = await fetchJson(address, { body: { ...decision, ...signed }, timeout });
  if (answer.kind === "ok" && decision.decision !== "approve") return { kind: "ended" };
  const read = readSaveAnswer(answer);
  if (read.kind === "done" || read.kind === "accepted") return { ...read, kind: "done" };
  if (read.kind === "not_done" || read.kind === "unsent" || read.kind === "lost") return read;
  return answer.kind === "problem"
    ? { kind: "refused", problem: answer.problem }
    : { kind: "lost", problem: null };
}

/** No signature where the person has no passkey. */
async function requestSignature(
  address: string,
): Promise<
  | Pick<Decision, "passkey">
  | Extract<DecisionAnswer, { kind: "no_passkey" | "refused" | "unsent" | "lost" }>
> {
  const answer = await fetchJson(`${address}/challenge`, { body: {}, timeout });
  if (answer.kind === "problem") return { kind: "refused", problem: answer.problem };
  if (answer.kind === "no_answer") return { kind: "unsent" };
  const options =
    answer.kind === "ok" ? challengeSchema.safeParse(answer.body).data?.options : undefined;
  if (options === undefined) return { kind: "lost", problem: null };
  if (options === null) return {};
  const signed = await signWithPasskey(options);
  return signed.outcome === "given"
    ? { passkey: signed.given }
    : { kind: "no_passkey", why: signed.outcome };
}

/** Decides, once; whatever the result, the screen then shows the current state. */
export function useDecision(
  environmentRef: { partner: string; environment: string },
  proposal: string,
): (decision: Decision, sign: boolean) => Promise<DecisionAnswer> {
  const client = useQueryClient();
  return async (decision, sign) => {
    const answer = await askDecision(environmentRef, proposal, decision, sign);
    const { queryKey } = configurationQuery(environmentRef.partner, environmentRef.environment);
    const configuration = answer.kind === "done" ? answer.result.configuration : null;
    if (configuration) keepConfiguration(client, configuration);
    else await client.invalidateQueries({ queryKey });
    return answer;
  };
}
