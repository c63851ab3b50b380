import {
  personRows,
  type Session,
  type SessionOf,
  type SignInWay,
} from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { databaseTime } from "@/lib/platform/runtime/database-time";

/** The session's person, in tests below the cookie. `read-session.ts` is mocked with these two. */
let session: Session | null = null;

/** By default the person has just proved their identity. */
export async function sessionInTest(): Promise<Session | null> {
  if (!session?.idHash) return session && { ...session, steppedUpAt: databaseTime() - 1_000 };
  const row = await db()
    .selectFrom("sessions")
    .select(["reauthenticated_at", "passkey_at"])
    .where("id_hash", "=", session.idHash)
    .executeTakeFirst();
  return {
    ...session,
    steppedUpAt: row?.reauthenticated_at ?? null,
    passkeyAt: row?.passkey_at ?? null,
    byPasskey: session.signedInBy === "passkey" || typeof row?.passkey_at === "number",
  };
}

/** The same with its person, for `readSignedIn`. */
export async function signedInInTest(): Promise<SessionOf | null> {
  const found = await sessionInTest();
  if (!found) return null;
  const person = await personRows(db(), env().oidc?.issuer ?? "")
    .where("users.id", "=", found.userId)
    .execute();
  return { session: found, person };
}

/** `idHash` and `signedInBy` only where a test depends on them. */
export function signInAs(
  userId: string | null,
  idHash = "",
  signedInBy: SignInWay = "password",
  signedInAt = 0,
): void {
  session =
    userId === null
      ? null
      : {
          userId,
          idHash,
          signedInAt,
          signedInBy,
          steppedUpAt: null,
          passkeyAt: null,
          byPasskey: signedInBy === "passkey",
        };
}
