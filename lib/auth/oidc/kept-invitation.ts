import "server-only";
import { env } from "@/lib/env";
import { hashOf } from "@/lib/one-time-token";
import { cookieName } from "@/lib/session-cookie";
import { cookies } from "next/headers";
import { attemptMaxAge } from "./attempt";

/** Longer than any token of ours. */
const maxTokenLength = 100;

/**
 * Keeps with which invitation somebody goes to the provider. The cookie has the hash of the link's token, as the
 * database does: whoever reads it cannot make the link, and it is good for nothing without the invited address.
 * `token`: of the link; null: they came without one, and an earlier one does not count any more.
 */
export async function keepInvitation(token: string | null): Promise<void> {
  const isKept = token !== null && token.length <= maxTokenLength;
  if (!isKept && (await keptInvitation()) === null) return;
  (await cookies()).set(name(), isKept ? hashOf(token) : "", {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: isSecure(),
    maxAge: isKept ? attemptMaxAge : 0,
  });
}

/** The hash of the token of the link that they came with. */
export async function keptInvitation(): Promise<string | null> {
  const value = (await cookies()).get(name())?.value ?? "";
  return /^[0-9a-f]{64}$/.test(value) ? value : null;
}

function name(): string {
  return cookieName("invitation", isSecure());
}

function isSecure(): boolean {
  return env().url.protocol === "https:";
}
