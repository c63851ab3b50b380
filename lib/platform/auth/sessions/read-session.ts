import "server-only";
import { db } from "@/lib/platform/database/open";
import type { SessionEnd } from "@/lib/platform/database/schema";
import { env } from "@/lib/platform/env/env";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { requestNote } from "@/lib/platform/log/request-note";
import { cookies, headers } from "next/headers";
import { sessionIdFrom } from "./session-token";
import { findSession, whySessionEnded, type Session } from "./sessions";

/**
 * The session of the request at hand, or null. From the cookie alone: an Authorization header is no session.
 * The cookie only names it; whether it still stands is read from the database every time.
 */
export async function readSession(): Promise<Session | null> {
  const id = await presentSessionId();
  // What an open page asks by itself, while nobody touches it, is no use of the session.
  const countsAsUse = !(await headers()).has("x-gancho-idle");
  const session = id === null ? null : await findSession(db(), id, Date.now(), { countsAsUse });
  const note = requestNote();
  if (note && session) note.userId = session.userId;
  return session;
}

/** Why the session ended whose cookie this browser still has, where its person did not end it here themselves. */
export async function whyPresentSessionEnded(): Promise<SessionEnd | null> {
  const id = await presentSessionId();
  return id === null ? null : whySessionEnded(db(), id);
}

/** What the cookie of the request at hand names; it may be over. */
export async function presentSessionId(): Promise<string | null> {
  const name = sessionCookieName(env().url.protocol === "https:");
  return sessionIdFrom((await cookies()).get(name)?.value);
}
