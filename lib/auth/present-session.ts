import "server-only";
import { db } from "@/lib/db/open";
import { env } from "@/lib/env";
import { sessionCookieName } from "@/lib/session-cookie";
import { cookies } from "next/headers";
import { sessionIdFrom } from "./session-token";
import { endSession } from "./sessions";

/** Whoever was signed in in this browser before is not any more. */
export async function endPresentSession(): Promise<void> {
  const name = sessionCookieName(env().url.protocol === "https:");
  const id = await sessionIdFrom((await cookies()).get(name)?.value);
  if (id !== null) await endSession(db(), id);
}
