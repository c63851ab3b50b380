import "server-only";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { cookies } from "next/headers";
import type { Caller } from "@/lib/platform/auth/sign-in/caller";
import { sessionIdFrom } from "./session-token";
import { signOut } from "./sign-out";

/** Whoever was signed in in this browser before is not any more: somebody signs in in it now. */
export async function replacePresentSession(caller: Caller): Promise<void> {
  const name = sessionCookieName(env().url.protocol === "https:");
  const id = await sessionIdFrom((await cookies()).get(name)?.value);
  if (id !== null) await signOut(db(), id, "replaced", caller);
}
