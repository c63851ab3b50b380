import "server-only";
import { requireOwnAccount } from "@/lib/access/require";
import { openSessionsOf, type OpenSession } from "@/lib/auth/sessions";
import { db } from "@/lib/db/open";
import type { Account, AccountSession } from "./account";
import { browserOf } from "./browser-of";

/** The account of whoever asks; nobody sees another one's. Throws `signed_out`. */
export async function readAccount(): Promise<Account> {
  const { viewer, session } = await requireOwnAccount();
  const user = await db()
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", viewer.id)
    .executeTakeFirst();
  const sessions = (await openSessionsOf(db(), viewer.id)).map((open) =>
    present(open, session.idHash),
  );
  return {
    name: viewer.name,
    email: viewer.email,
    passwordSet: typeof user?.password_hash === "string",
    sessions: [...sessions.filter(({ here }) => here), ...sessions.filter(({ here }) => !here)],
  };
}

function present(open: OpenSession, idHash: string): AccountSession {
  return {
    // Of the hash only enough to tell rows apart.
    key: open.idHash.slice(0, 12),
    signedInAt: new Date(open.signedInAt).toISOString(),
    lastUsedAt: new Date(open.lastSeenAt).toISOString(),
    address: open.clientAddress,
    ...browserOf(open.userAgent),
    here: open.idHash === idHash,
  };
}
