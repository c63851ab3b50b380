import "server-only";
import { env } from "@/lib/platform/env/env";
import { decode } from "next-auth/jwt";

/** The only thing that the encrypted token in the cookie carries. */
export const sessionIdClaim = "sid";

/** The session id in the cookie's token, or null for a token that is missing, altered, expired or of another kind. */
export async function sessionIdFrom(token: string | undefined): Promise<string | null> {
  if (!token) return null;
  try {
    const claims = await decode({ token, secret: env().authSecret.reveal() });
    const id = claims?.[sessionIdClaim];
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}
