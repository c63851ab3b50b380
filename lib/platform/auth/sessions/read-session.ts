import "server-only";
import { db } from "@/lib/platform/database/open";
import type { SessionEnd } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { idlePageHeader } from "@/lib/platform/http/model/request-context";
import { requestNote } from "@/lib/platform/log/request-note";
import { cookies, headers } from "next/headers";
import { findSession, sessionLife, whySessionEnded, type Session } from "./sessions";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { createHash } from "node:crypto";
import { decode, encode } from "next-auth/jwt";

/**
 * The session of the current request, or null. From the cookie alone: an Authorization header is no session. The cookie
 * only names it; whether it is still valid is read from the database every time.
 */
export async function readSession(): Promise<Session | null> {
  const id = await presentSessionId();
  // Requests that an open page sends by itself, while the person is idle, do not use the session.
  const countsAsUse = !(await headers()).has(idlePageHeader);
  const session = id === null ? null : await findSession(db(), id, Date.now(), { countsAsUse });
  const note = requestNote();
  if (note && session) note.userId = session.userId;
  return session;
}

/** Why the session of this browser's cookie ended, unless its person ended it here. */
export async function whyPresentSessionEnded(): Promise<SessionEnd | null> {
  const id = await presentSessionId();
  return id === null ? null : whySessionEnded(db(), id);
}

/** The session id in the current request's cookie; it may have ended. */
export async function presentSessionId(): Promise<string | null> {
  const name = sessionCookieName(env().url.protocol === "https:");
  return sessionIdFrom((await cookies()).get(name)?.value);
}

/** The only thing that the encrypted token in the cookie carries. */
export const sessionIdClaim = "sid";

/** What the cookie of a session holds. */
export async function sessionToken(id: string): Promise<string> {
  const secret = env().authSecret.reveal();
  return encode({ token: { [sessionIdClaim]: id }, secret, maxAge: sessionLife.absolute / 1000 });
}

/** The session id in the cookie's token, or null for a token that is missing, altered, expired or of another kind. */
export async function sessionIdFrom(token: string | undefined): Promise<string | null> {
  if (!token) return null;
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
