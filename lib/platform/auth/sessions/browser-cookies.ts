import "server-only";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import {
  attemptCookieName,
  attemptCookies,
  cookieName,
  sessionCookieName,
} from "@/lib/platform/auth/model/session-cookie";
import { cookies } from "next/headers";
import {
  deviceLifeMs,
  deviceOwner,
  rememberDevice,
} from "@/lib/platform/auth/sign-in/known-device";
import { challengeLifeMs } from "@/lib/platform/auth/passkeys/webauthn";
import { pendingLifeMs } from "@/lib/platform/auth/sign-in/pending-sign-in";
import { sessionLife } from "./sessions";

/**
 * The cookies of sign-in itself; no page and no other site needs them. `device`: known-device.ts; `code`: the id of
 * pending-sign-in.ts; `passkey`: what a challenge is bound to, passkeys/sign-in.ts.
 */
type AuthCookie = "device" | "code" | "passkey";

const lifeMs: Record<AuthCookie, number> = {
  device: deviceLifeMs,
  code: pendingLifeMs,
  passkey: challengeLifeMs,
};

/** Undefined where this browser has none. */
export async function readCookie(what: AuthCookie): Promise<string | undefined> {
  return (await cookies()).get(cookieName(what, isSecure()))?.value;
}

/** What the browser keeps of an attempt at single sign-on; undefined where it has nothing of it. */
export async function readAttempt(
  what: (typeof attemptCookies)[number],
  attemptId: string,
): Promise<string | undefined> {
  return (await cookies()).get(attemptCookieName(what, attemptId, isSecure()))?.value;
}

/** Has the browser keep `value` for as long as it can be used. */
export function keep(answer: Response, what: AuthCookie, value: string): void {
  set(answer, cookieName(what, isSecure()), { value, ms: lifeMs[what], sameSite: "Strict" });
}

export function forget(answer: Response, what: AuthCookie): void {
  set(answer, cookieName(what, isSecure()), { ...gone, sameSite: "Strict" });
}

export function forgetAttempt(answer: Response, attemptId: string): void {
  for (const what of attemptCookies)
    set(answer, attemptCookieName(what, attemptId, isSecure()), { ...gone, sameSite: "Lax" });
}

/** Signs the browser in. */
export function keepSession(answer: Response, sessionId: string): void {
  const kept = { value: sessionId, ms: sessionLife.absolute };
  // Lax: a link in a mail opens its page.
  set(answer, sessionCookieName(isSecure()), { ...kept, sameSite: "Lax" });
}

export function forgetSession(answer: Response): void {
  set(answer, sessionCookieName(isSecure()), { ...gone, sameSite: "Lax" });
}

/** Keeps this browser known after its person changed their credentials in it. */
export async function keepDeviceKnown(
  { viewer }: { viewer: { id: string } },
  said: object = {},
): Promise<Response> {
  const answer = Response.json(said);
  keep(answer, "device", rememberDevice(await deviceOwner(db(), viewer.id)));
  return answer;
}

/** Over https, browsers take our cookies over it alone (model/session-cookie.ts). */
export function isSecure(): boolean {
  return env().url.protocol === "https:";
}

const gone = { value: "", ms: 0 };

type Kept = { value: string; ms: number; sameSite: "Lax" | "Strict" };

function set(answer: Response, name: string, { value, ms, sameSite }: Kept): void {
  const cookie = `${name}=${value}; Max-Age=${ms / 1_000}; SameSite=${sameSite}; Path=/; HttpOnly`;
  answer.headers.append("set-cookie", isSecure() ? `${cookie}; Secure` : cookie);
}
