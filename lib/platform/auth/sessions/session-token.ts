import "server-only";
import { env } from "@/lib/platform/env/env";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { createHash } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { sessionLife } from "./sessions";

/** The only thing that the encrypted token in the cookie carries. */
export const sessionIdClaim = "sid";

/** The content of a session cookie. Apart from reading it, because browser tests run outside the framework. */
export async function sessionToken(id: string): Promise<string> {
  const secret = env().authSecret.reveal();
  return encode({ token: { [sessionIdClaim]: id }, secret, maxAge: sessionLife.absolute / 1000 });
}

/**
 * The session id in the cookie's token, or null for a token that is missing, altered, expired or of another kind; also
 * for one that decrypts to the same in another form, with which a session would count as several.
 */
export async function sessionIdFrom(token: string | undefined): Promise<string | null> {
  if (!token?.split(".").every(isCanonical)) return null;
  const digest = createHash("sha256").update(token).digest("base64");
  const known = opened().get(digest);
  if (known && known.expiresAt > Date.now()) return known.id;
  try {
    const claims = await decode({ token, secret: env().authSecret.reveal() });
    const id = claims?.[sessionIdClaim];
    if (typeof id !== "string") return null;
    remember(digest, { id, expiresAt: Number(claims?.["exp"] ?? 0) * 1_000 });
    return id;
  } catch {
    return null;
  }
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

type Opened = { id: string; expiresAt: number };

/**
 * Tokens that were decrypted lately, by their digest: decrypting one costs more than all the rest of finding a session.
 * The content is valid until it expires; whether the session still is, the database says every time.
 */
const opened = () => processWide("opened-session-tokens", () => new Map<string, Opened>());
const maxOpened = 1_000;

function remember(digest: string, token: Opened): void {
  const all = opened();
  const [oldest] = all.keys();
  if (all.size >= maxOpened && oldest !== undefined) all.delete(oldest);
  all.set(digest, token);
}
