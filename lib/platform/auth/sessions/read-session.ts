import "server-only";
import { db } from "@/lib/platform/database/open";
import type { SessionEnd } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { isSecure } from "./browser-cookies";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { idlePageHeader } from "@/lib/platform/http/model/request-context";
import { requestNote } from "@/lib/platform/log/request-note";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { cookies, headers } from "next/headers";
import { findSignedIn, whySessionEnded, type Session, type SessionOf } from "./sessions";

/** The session of the current request, or null. */
export async function readSession(): Promise<Session | null> {
  return (await readSignedIn())?.session ?? null;
}

/**
 * The same with its person, in one statement. From the cookie alone: an Authorization header is no session. The cookie
 * only names it; whether it is still valid is read from the database every time.
 */
export async function readSignedIn(): Promise<SessionOf | null> {
  const id = await currentSessionId();
  // Requests that an open page sends by itself, while the person is idle, do not use the session.
  const countsAsUse = !(await headers()).has(idlePageHeader);
  const found = id === null ? null : await findSignedIn(db(), id, databaseTime(), { countsAsUse });
  // One from before passwords were switched off.
  const isOfClosedWay = env().oidc?.isOnlyWay && found?.session.signedInBy !== "single_sign_on";
  const signedIn = isOfClosedWay ? null : found;
  const note = requestNote();
  if (note && signedIn) note.userId = signedIn.session.userId;
  return signedIn;
}

/** Why the session of this browser's cookie ended, unless its person ended it here. */
export async function currentSessionEnd(): Promise<SessionEnd | null> {
  const id = await currentSessionId();
  return id === null ? null : whySessionEnded(db(), id);
}

/** What the current request's cookie names; it may have ended, or be made up. */
export async function currentSessionId(): Promise<string | null> {
  return (await cookies()).get(sessionCookieName(isSecure()))?.value ?? null;
}
