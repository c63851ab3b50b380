import type { Session, SignInWay } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";

/** Who is asking, in tests below the cookie. The test file mocks `readSession` with `sessionInTest`. */
let session: Session | null = null;

/** Where it does not matter in which session, its person has just proved that it is they. */
export async function sessionInTest(): Promise<Session | null> {
  if (!session?.idHash) return session && { ...session, steppedUpAt: Date.now() - 1_000 };
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

/** `idHash`: where it matters in which session; `signedInBy`: where it matters how it was begun. */
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
