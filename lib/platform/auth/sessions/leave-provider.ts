import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { decode, encode } from "next-auth/jwt";
import * as z from "zod";
import { sessionHash } from "./session-hash";

/** How a person ends their session at the provider, too (OpenID Connect RP-Initiated Logout 1.0). */
export type LeaveProvider = {
  /** The provider's `end_session_endpoint`. */
  endpoint: string;
  clientId: string;
  /** What the provider said of the person: it tells it whose session ends, so that it need not ask. */
  idToken: string;
};

/** Longer ones would make an address that servers refuse: then the provider asks the person. */
const maxHintLength = 4_000;

const kept = z.object({ endpoint: z.string(), clientId: z.string(), idToken: z.string() });

/** For the session's row. Only who has the session's id, which is in the cookie alone, can read it. */
export function sealedFor(sessionId: string, leave: LeaveProvider): Promise<string> {
  return encode({ token: leave, secret: sessionId });
}

/** The provider's address at which the session's person signs out there, and which leads back; null: there is none. */
export async function addressToLeave(
  db: Executor,
  sessionId: string,
  origin: string,
): Promise<URL | null> {
  const row = await db
    .selectFrom("sessions")
    .select("leave_provider")
    .where("id_hash", "=", sessionHash(sessionId))
    .executeTakeFirst();
  if (!row?.leave_provider) return null;
  // Nothing here may keep a person from signing out.
  const opened = await decode({ token: row.leave_provider, secret: sessionId }).catch(() => null);
  const { data } = kept.safeParse(opened);
  if (!data) return null;
  const { endpoint, clientId, idToken } = data;
  const address = new URL(endpoint);
  address.searchParams.set("client_id", clientId);
  address.searchParams.set("post_logout_redirect_uri", `${origin}/sign-in`);
  if (idToken.length <= maxHintLength) address.searchParams.set("id_token_hint", idToken);
  return address;
}
