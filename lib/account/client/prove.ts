import { fetchJson, type RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { signWithPasskey, type PasskeyFailure } from "@/lib/platform/auth/client/passkey-client";
import { stepUpOptionsSchema, type StepUpOptions } from "@/lib/account/model/account";

/** The outcome of proving one's identity again, as far as the browser knows. */
export type ProofAnswer =
  | { kind: "given" }
  | { kind: "wrong_password" }
  /** The browser returned no signature. */
  | { kind: "no_passkey"; why: PasskeyFailure }
  | { kind: "failed"; failure: RequestFailure };

/** Milliseconds. Checking a password may queue for some seconds. */
const timeout = 20_000;
const path = "/api/account/step-up";

/** How the person can prove it; a failure where the server does not say. Never throws. */
export async function readProofOptions(): Promise<StepUpOptions | { failure: RequestFailure }> {
  const answer = await fetchJson(path, { body: {}, timeout });
  if (answer.kind !== "ok") return { failure: answer };
  return stepUpOptionsSchema.safeParse(answer.body).data ?? { failure: { kind: "no_answer" } };
}

/** Never throws. */
export async function proveWithPassword(password: string): Promise<ProofAnswer> {
  return prove({ password });
}

/** Has the person unlock one of their passkeys. Never throws. */
export async function proveWithPasskey(): Promise<ProofAnswer> {
  const options = await readProofOptions();
  if ("failure" in options) return { kind: "failed", failure: options.failure };
  // The passkey was removed elsewhere meanwhile.
  if (!options.passkey) return { kind: "no_passkey", why: "failed" };
  const signed = await signWithPasskey(options.passkey);
  return signed.outcome === "given"
    ? prove({ passkey: signed.given })
    : { kind: "no_passkey", why: signed.outcome };
}

async function prove(body: object): Promise<ProofAnswer> {
  const answer = await fetchJson(path, { method: "PUT", body, timeout });
  if (answer.kind === "ok") return { kind: "given" };
  const isWrong =
    answer.kind === "problem" &&
    answer.problem.errors?.some(({ code }) => code === "wrong_password") === true;
  return isWrong ? { kind: "wrong_password" } : { kind: "failed", failure: answer };
}
