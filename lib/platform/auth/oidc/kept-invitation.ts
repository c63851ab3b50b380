import "server-only";
import { env } from "@/lib/platform/env/env";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import { cookieName } from "@/lib/platform/auth/model/session-cookie";
import { cookies } from "next/headers";
import { attemptMaxAge } from "./attempt";

/** Longer than any token of ours. */
const maxTokenLength = 100;

/**
 * Has the browser keep with which invitation somebody goes to the provider. The cookie has the hash of the link's
 * token, as the database does: whoever reads it cannot make the link, and it is good for nothing without the invited
 * address. It is written into the answer itself: the framework's own way writes next-auth's cookies anew, and loses
 * that some are to be removed.
 */
export function keepInvitation(answer: Response, token: string): void {
  if (token.length <= maxTokenLength) setCookie(answer, hashOf(token), attemptMaxAge);
}

export function forgetInvitation(answer: Response): void {
  setCookie(answer, "", 0);
}

/** The hash of the token of the link that they came with. */
export async function keptInvitation(): Promise<string | null> {
  const value = (await cookies()).get(name())?.value ?? "";
  return /^[0-9a-f]{64}$/.test(value) ? value : null;
}

function setCookie(answer: Response, value: string, maxAge: number): void {
  const cookie = `${name()}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
  answer.headers.append("set-cookie", isSecure() ? `${cookie}; Secure` : cookie);
}

function name(): string {
  return cookieName("invitation", isSecure());
}

function isSecure(): boolean {
  return env().url.protocol === "https:";
}
