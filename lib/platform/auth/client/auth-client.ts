import type { RequestOptions } from "@/lib/platform/auth/model/passkey-options";
import { fetchJson, type RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { offersPasskeysInField, signWithPasskey } from "./passkey-client";
import {
  singleSignOnFailure,
  type SingleSignOnFailure,
} from "@/lib/platform/auth/model/single-sign-on-failure";

/** Signing in and out from the browser. */
export type SignInOutcome = { outcome: "signed_in" } | SignInFailure;

export type SignInFailure =
  | { outcome: "throttled"; retryAfterSeconds: number }
  | { outcome: "single_sign_on"; reason: SingleSignOnFailure }
  | { outcome: PlainFailure };

/** Which was refused; the server does not say whether the person is unknown or the proof is wrong. */
type Step = "password" | "code" | "passkey";

export type PlainFailure =
  | Step
  /** It took too long: the sign-in begins again. */
  | `${Exclude<Step, "password">}_over`
  | "passkey_cancelled"
  | "passkey_unusable"
  | "unreachable"
  /** Gancho answered that its database is unavailable: nobody was refused, and nothing was changed. */
  | "database_away"
  | "failed";

/** Longer than a password check waits in its queue. Milliseconds. */
const timeout = 30_000;

/** Never throws. The password travels in the body, never in an address. */
export async function signInWithPassword(typed: {
  email: string;
  password: string;
}): Promise<SignInOutcome | CodeRequired> {
  return submit("password", "POST", typed);
}

/** The password was right, and a one-time code is wanted, too. */
type CodeRequired = { outcome: "code_required" };

/** The second step, in the browser that made the first. Never throws. */
export async function signInWithCode(code: string): Promise<SignInOutcome> {
  return finish("code", "POST", { code });
}

/** With any person's passkey. Never throws. */
export async function signInWithPasskey(): Promise<SignInOutcome> {
  const begun = await beginPasskey();
  if ("outcome" in begun) return begun;
  const used = await signWithPasskey(begun.options);
  if (used.outcome === "given") return finish("passkey", "PUT", { assertion: used.given });
  return { outcome: used.outcome === "cancelled" ? "passkey_cancelled" : "passkey_unusable" };
}

/**
 * The same with a passkey that the person chooses in the address field. null where they chose none, or none can be
 * offered: they requested nothing, so no error is shown. Never throws.
 */
export async function signInWithOfferedPasskey(): Promise<SignInOutcome | null> {
  if (!(await offersPasskeysInField())) return null;
  const begun = await beginPasskey();
  if ("outcome" in begun) return null;
  const used = await signWithPasskey(begun.options, { inField: true });
  return used.outcome === "given" ? finish("passkey", "PUT", { assertion: used.given }) : null;
}

async function beginPasskey(): Promise<{ options: RequestOptions } | SignInFailure> {
  const answer = await fetchJson("/api/sign-in/passkey", { body: {}, timeout });
  if (answer.kind !== "ok") return failureOf(answer, "passkey");
  const options = memberOf(answer.body, "options");
  return options ? { options: options as RequestOptions } : { outcome: "failed" };
}

async function finish(...step: Parameters<typeof submit>): Promise<SignInOutcome> {
  const result = await submit(...step);
  return result.outcome === "code_required" ? { outcome: "failed" } : result;
}

async function submit(
  step: Step,
  method: "POST" | "PUT",
  body: object,
): Promise<SignInOutcome | CodeRequired> {
  const answer = await fetchJson(`/api/sign-in/${step}`, { method, body, timeout });
  if (answer.kind !== "ok") return failureOf(answer, step);
  const outcome = memberOf(answer.body, "outcome");
  return outcome === "signed_in" || outcome === "code_required"
    ? { outcome }
    : { outcome: "failed" };
}

/** `step`: null at the provider, which refuses nobody before it was asked. */
function failureOf(failure: RequestFailure, step: Step | null): SignInFailure {
  if (failure.kind === "no_answer") return { outcome: "unreachable" };
  const { code, retryAfter } = failure.problem;
  switch (code) {
    case "too_many_requests":
      return { outcome: "throttled", retryAfterSeconds: retryAfter ?? 1 };
    case "sign_in_refused":
      return { outcome: step ?? "failed" };
    case "sign_in_over":
      return { outcome: step === null || step === "password" ? "failed" : `${step}_over` };
    case "database_unavailable":
      return { outcome: "database_away" };
    default:
      return { outcome: "failed" };
  }
}

/**
 * The provider's address at which the person signs in. Never throws. `askWho`: the provider must prompt even a person
 * whom it remembers.
 */
export function beginSingleSignOn(options: {
  callbackUrl: string;
  askWho: boolean;
}): Promise<Begun> {
  return begin(options);
}

/** The same for a person who is signed in, and confirms that it is them by signing in there anew. */
export function beginStepUpAtProvider(): Promise<Begun> {
  return begin({ stepUp: true });
}

type Begun = { outcome: "go"; address: URL } | SignInFailure;

async function begin(body: object): Promise<Begun> {
  const answer = await fetchJson("/api/auth/signin/oidc", { body, timeout });
  if (answer.kind !== "ok") return failureOf(answer, null);
  const address = addressIn(answer.body);
  if (!address) return { outcome: "failed" };
  const code = address.searchParams.get("error");
  return code === null ? { outcome: "go", address } : signInFailure(code);
}

/**
 * Ends the session on the server and in the browser. Returns where to go then: to the sign-in page, or first to the
 * provider, to sign out there. null when it may still be open. Never throws.
 */
export async function signOut(): Promise<URL | null> {
  const answer = await fetchJson("/api/auth/signout", { body: {}, timeout });
  return answer.kind === "ok" ? addressIn(answer.body) : null;
}

function addressIn(body: unknown): URL | null {
  const address = memberOf(body, "url");
  return typeof address === "string" && URL.canParse(address) ? new URL(address) : null;
}

/** By hand: the sign-in screen needs no other parsing, and a schema library is 16 KB. */
function memberOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : null;
}

/** The meaning of a code in the `error` of an address, where single sign-on ended (oidc/handle.ts). */
export function signInFailure(code: string): SignInFailure {
  if (code === "database_unavailable") return { outcome: "database_away" };
  const reason = singleSignOnFailure(code);
  if (reason) return { outcome: "single_sign_on", reason };
  const wait = /^throttled:(\d{1,6})$/.exec(code);
  return wait
    ? { outcome: "throttled", retryAfterSeconds: Number(wait[1]) }
    : { outcome: "failed" };
}
