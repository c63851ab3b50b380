import "server-only";
import { env } from "@/lib/platform/env/env";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { createHash } from "node:crypto";
import { decode, encode } from "next-auth/jwt";

/** The only thing that the encrypted token in the cookie carries. */
export const sessionIdClaim = "sid";

/**
 * The content of a session cookie. Apart from reading it, because browser tests run outside the framework. next-auth's
 * life of a token, 30 days, says nothing of the session's: it goes by the clocks of this instance and of the next.
 */
export async function sessionToken(id: string): Promise<string> {
  return encode({ token: { [sessionIdClaim]: id }, secret: env().authSecret.reveal() });
}

/**
 * The session id in the cookie's token, or null for a token that is missing, altered, expired or of another kind; also
 * for one that decrypts to the same in another form, with which a session would count as several.
 */
export async function sessionIdFrom(token: string | undefined): Promise<string | null> {
  if (!token?.split(".").every(isCanonical)) return null;
  const digest = createHash("sha256").update(token).digest("base64");
  const known = opened().get(digest);
  if (known !== undefined) return known;
  try {
    const claims = await decode({ token, secret: env().authSecret.reveal() });
    const id = claims?.[sessionIdClaim];
    if (typeof id !== "string") return null;
    remember(digest, id);
    return id;
  } catch {
    return null;
  }
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

/**
 * The ids of tokens that were decrypted lately, by digest: decrypting one costs more than all the rest of finding a
 * session. Whether the session is still valid, the database says every time.
 */
const opened = () => processWide("opened-session-tokens", () => new Map<string, string>());
const maxOpened = 1_000;

function remember(digest: string, id: string): void {
  const all = opened();
  const [oldest] = all.keys();
  if (all.size >= maxOpened && oldest !== undefined) all.delete(oldest);
  all.set(digest, id);
}
