import type { Session, SignInWay } from "@/lib/auth/sessions";

/** Who is asking, in tests below the cookie. The test file mocks `readSession` with `sessionInTest`. */
let session: Session | null = null;

export async function sessionInTest(): Promise<Session | null> {
  return session;
}

/** `idHash`: where it matters in which session; `signedInBy`: where it matters how it was begun. */
export function signInAs(
  userId: string | null,
  idHash = "",
  signedInBy: SignInWay = "password",
): void {
  session = userId === null ? null : { userId, idHash, signedInAt: 0, signedInBy };
}
