import "server-only";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { cookieName } from "@/lib/platform/auth/model/session-cookie";
import { cookies } from "next/headers";
import {
  deviceLifeMs,
  deviceOwner,
  rememberDevice,
} from "@/lib/platform/auth/sign-in/known-device";
import { challengeLifeMs } from "@/lib/platform/auth/passkeys/webauthn";
import { pendingLifeMs } from "@/lib/platform/auth/sign-in/pending-sign-in";
import { sessionToken } from "./session-token";
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

/** Has the browser keep `value` for as long as it can be used. */
export function keep(answer: Response, what: AuthCookie, value: string): void {
  setCookie(answer, what, `${value}; Max-Age=${lifeMs[what] / 1000}; SameSite=Strict`);
}

export function forget(answer: Response, what: AuthCookie): void {
  setCookie(answer, what, "; Max-Age=0; SameSite=Strict");
}

/** Signs the browser in: sets the session cookie for next-auth, which reads it as its own. */
export async function keepSession(answer: Response, sessionId: string): Promise<void> {
  const token = await sessionToken(sessionId);
  // Lax: a link in a mail opens its page.
  setCookie(answer, "session", `${token}; Max-Age=${sessionLife.absolute / 1000}; SameSite=Lax`);
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

function setCookie(answer: Response, what: AuthCookie | "session", value: string): void {
  const cookie = `${cookieName(what, isSecure())}=${value}; Path=/; HttpOnly`;
  answer.headers.append("set-cookie", isSecure() ? `${cookie}; Secure` : cookie);
}

function isSecure(): boolean {
  return env().url.protocol === "https:";
}
