import "server-only";
import { db } from "@/lib/db/open";
import { env } from "@/lib/env";
import { sessionCookieName } from "@/lib/session-cookie";
import { cookies } from "next/headers";
import { sessionIdFrom } from "./session-token";
import { findSession, type Session } from "./sessions";

/**
 * The session of the request at hand, or null. From the cookie alone: an Authorization header is no session.
 * The cookie only names it; whether it still stands is read from the database every time.
 */
export async function readSession(): Promise<Session | null> {
  const name = sessionCookieName(env().url.protocol === "https:");
  const id = await sessionIdFrom((await cookies()).get(name)?.value);
  return id === null ? null : findSession(db(), id);
}
