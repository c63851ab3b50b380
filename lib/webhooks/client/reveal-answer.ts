import { fetchJson, type Failure, type JsonAnswer } from "@/lib/platform/http/client/fetch-json";
import type { PasskeyFailure } from "@/lib/platform/auth/client/passkey-client";
import { webhooksPath } from "./query";
import { revealedSchema, type Revealed, type RevealRequest } from "@/lib/webhooks/model/revealed";
import type { WebhookType } from "@/lib/webhooks/model/types";

/** The outcome of a request for a value. */
export type RevealAnswer =
  | { kind: "revealed"; revealed: Revealed }
  /** The five minutes are over, or never began. */
  | { kind: "password_needed" }
  | { kind: "wrong_password" }
  /** The browser came back without a signature. */
  | { kind: "no_passkey"; why: PasskeyFailure }
  | { kind: "failed"; failure: Failure };

/** Checking a password may queue for some seconds, and the service take ten. */
const revealTimeout = 25_000;

/** Requests a value, once. Only the caller keeps the answer: no query and no mutation ever holds it. */
export async function requestReveal(
  { partner, environment, type }: { partner: string; environment: string; type: WebhookType },
  request: RevealRequest,
): Promise<RevealAnswer> {
  const path = `${webhooksPath(partner, environment)}/${type}/reveal`;
  return readRevealAnswer(
    await fetchJson(path, { body: request, timeout: revealTimeout, stepsUp: true }),
  );
}

/** Reads the answer to `POST …/webhooks/{type}/reveal`. */
export function readRevealAnswer(answer: JsonAnswer): RevealAnswer {
  if (answer.kind === "ok") {
    const { data } = revealedSchema.safeParse(answer.body);
    return data
      ? { kind: "revealed", revealed: data }
      : { kind: "failed", failure: { kind: "no_answer" } };
  }
  if (answer.kind === "problem") {
    const { code, errors } = answer.problem;
    if (code === "reauthentication_required") return { kind: "password_needed" };
    if (code === "invalid_fields" && errors?.some((error) => error.code === "wrong_password"))
      return { kind: "wrong_password" };
  }
  return { kind: "failed", failure: answer };
}
