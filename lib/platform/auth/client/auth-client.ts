import type { RequestOptions } from "@/lib/platform/auth/model/passkey-options";
import { offersPasskeysInField, signWithPasskey, type PasskeyFailure } from "./passkey-client";
import {
  singleSignOnFailure,
  type SingleSignOnFailure,
} from "@/lib/platform/auth/model/single-sign-on-failure";

/**
 * Signing in and out from the browser, through next-auth's endpoints. Does not use its browser library: when the server
 * cannot be reached, that leaves the page, and without a CSRF token it takes the refusal for a success.
 */
export type SignInOutcome =
  | { outcome: "signed_in" }
  /** The password was right, and a one-time code is wanted, too. */
  | { outcome: "code_required" }
  | SignInFailure;

export type SignInFailure =
  /** Wrong password or unknown person: the server does not say which. */
  | { outcome: "refused" }
  | { outcome: "wrong_code" }
  /** The password is required again before a code. */
  | { outcome: "code_over" }
  /** An unknown or rejected passkey: the server does not say which. */
  | { outcome: "passkey_refused" }
  /** The sign-in has to begin again. */
  | { outcome: "passkey_over" }
  /** The browser came back without one. */
  | { outcome: "no_passkey"; why: PasskeyFailure }
  | { outcome: "throttled"; retryAfterSeconds: number }
  | { outcome: "single_sign_on"; reason: SingleSignOnFailure }
  | { outcome: "unreachable" }
  /** Gancho answered that its database is unavailable: nobody was refused, and nothing was changed. */
  | { outcome: "database_away" }
  | { outcome: "failed" };

class DatabaseAway extends Error {}

function whyNoAnswer(thrown: unknown): { outcome: "unreachable" | "database_away" } {
  return { outcome: thrown instanceof DatabaseAway ? "database_away" : "unreachable" };
}

type Credentials = { email: string; password: string; callbackUrl: string };

/** Never throws. The password travels in the body, never in an address. */
export async function signInWithPassword(credentials: Credentials): Promise<SignInOutcome> {
  try {
    const answer = await post("callback/credentials", credentials);
    return answer ? signInOutcome(answer) : { outcome: "failed" };
  } catch (thrown) {
    return whyNoAnswer(thrown);
  }
}

/** With any person's passkey. Never throws. */
export async function signInWithPasskey({
  callbackUrl,
}: {
  callbackUrl: string;
}): Promise<SignInOutcome> {
  try {
    const begun = await beginPasskey();
    if ("outcome" in begun) return begun;
    const used = await signWithPasskey(begun.options);
    if (used.outcome !== "given") return { outcome: "no_passkey", why: used.outcome };
    return await finishPasskey(used.given, callbackUrl);
  } catch (thrown) {
    return whyNoAnswer(thrown);
  }
}

/**
 * The same with a passkey that the person chooses in the address field. null where they chose none, or none can be
 * offered: they requested nothing, so no error is shown. Never throws.
 */
export async function signInWithOfferedPasskey({
  callbackUrl,
}: {
  callbackUrl: string;
}): Promise<SignInOutcome | null> {
  let chosen = false;
  try {
    if (!(await offersPasskeysInField())) return null;
    const begun = await beginPasskey();
    if ("outcome" in begun) return null;
    const used = await signWithPasskey(begun.options, { inField: true });
    if (used.outcome !== "given") return null;
    chosen = true;
    return await finishPasskey(used.given, callbackUrl);
  } catch (thrown) {
    return chosen ? whyNoAnswer(thrown) : null;
  }
}

/** Throws when nothing answers. */
async function finishPasskey(given: object, callbackUrl: string): Promise<SignInOutcome> {
  const assertion = JSON.stringify(given);
  const answer = await post("callback/passkey", { assertion, callbackUrl });
  const result = answer ? signInOutcome(answer) : ({ outcome: "failed" } as const);
  return result.outcome === "refused" ? { outcome: "passkey_refused" } : result;
}

/** The challenge for a passkey, from our route: next-auth has none for it. Throws when nothing answers. */
async function beginPasskey(): Promise<{ options: RequestOptions } | SignInFailure> {
  const response = await fetch("/api/sign-in/passkey", {
    method: "POST",
    headers: { "content-type": "application/json", "x-requested-by": "gancho" },
    body: "{}",
  });
  await refuseWithoutDatabase(response);
  const body: unknown = await response.json().catch(() => null);
  const member = (name: string): unknown =>
    typeof body === "object" && body !== null ? Reflect.get(body, name) : null;
  const [options, wait] = [member("options"), member("retryAfter")];
  if (typeof wait === "number") return { outcome: "throttled", retryAfterSeconds: wait };
  return typeof options === "object" && options !== null
    ? { options: options as RequestOptions }
    : { outcome: "failed" };
}

/** The second step, in the browser that made the first. Never throws. */
export async function signInWithCode(typed: {
  code: string;
  callbackUrl: string;
}): Promise<Exclude<SignInOutcome, { outcome: "code_required" }>> {
  try {
    const answer = await post("callback/one-time-code", typed);
    const result = answer ? signInOutcome(answer) : ({ outcome: "failed" } as const);
    if (result.outcome === "refused") return { outcome: "wrong_code" };
    return result.outcome === "code_required" ? { outcome: "failed" } : result;
  } catch (thrown) {
    return whyNoAnswer(thrown);
  }
}

/**
 * The provider's address at which the person signs in. Never throws. `askWho`: the provider must prompt even a person
 * whom it remembers.
 */
export async function beginSingleSignOn(options: {
  callbackUrl: string;
  askWho: boolean;
}): Promise<{ outcome: "go"; address: URL } | SignInFailure> {
  try {
    const address = await post("signin/oidc", { ...options, askWho: String(options.askWho) });
    if (!address || refusedForCsrf(address)) return { outcome: "failed" };
    const code = address.searchParams.get("error");
    return code === null ? { outcome: "go", address } : signInFailure(code);
  } catch (thrown) {
    return whyNoAnswer(thrown);
  }
}

/** Ends the session on the server and in the browser. False when it may still be open. Never throws. */
export async function signOut(): Promise<boolean> {
  const answer = await post("signout", { callbackUrl: "/sign-in" }).catch(() => null);
  return answer !== null && !refusedForCsrf(answer);
}

/**
 * The address that next-auth would redirect to; null for an answer that is not next-auth's. Throws when nothing
 * answers, or Gancho without its database.
 */
async function post(action: string, fields: Record<string, string>): Promise<URL | null> {
  const csrfToken = await textMember(await fetch("/api/auth/csrf"), "csrfToken");
  if (csrfToken === null) return null;
  const response = await fetch(`/api/auth/${action}`, {
    method: "POST",
    body: new URLSearchParams({ ...fields, csrfToken, json: "true" }),
  });
  await refuseWithoutDatabase(response);
  const url = await textMember(response, "url");
  return url !== null && URL.canParse(url) ? new URL(url) : null;
}

async function refuseWithoutDatabase(response: Response): Promise<void> {
  if (response.status !== 503) return;
  const code = await textMember(response.clone(), "code");
  if (code === "database_unavailable") throw new DatabaseAway();
}

/** One text of a JSON answer. By hand: the sign-in screen needs no other parsing, and a schema library is 16 KB. */
async function textMember(response: Response, name: string): Promise<string | null> {
  const body: unknown = await response.json().catch(() => null);
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : null;
  return typeof value === "string" ? value : null;
}

/** next-auth sends a request whose CSRF token it does not accept back to sign in, without calling it an error. */
function refusedForCsrf(answer: URL): boolean {
  return answer.searchParams.has("csrf");
}

function signInOutcome(answer: URL): SignInOutcome {
  const code = answer.searchParams.get("error");
  if (code === "code_required") return { outcome: "code_required" };
  if (code !== null) return signInFailure(code);
  return { outcome: refusedForCsrf(answer) ? "failed" : "signed_in" };
}

/** The meaning of a code in the `error` of an address; lib/platform/auth/sign-in/next-auth.ts has the list. */
export function signInFailure(code: string): SignInFailure {
  if (code === "CredentialsSignin") return { outcome: "refused" };
  if (code === "database_unavailable") return { outcome: "database_away" };
  if (code === "code_over") return { outcome: "code_over" };
  if (code === "passkey_over") return { outcome: "passkey_over" };
  const reason = singleSignOnFailure(code);
  if (reason) return { outcome: "single_sign_on", reason };
  const wait = /^throttled:(\d{1,6})$/.exec(code);
  return wait
    ? { outcome: "throttled", retryAfterSeconds: Number(wait[1]) }
    : { outcome: "failed" };
}
