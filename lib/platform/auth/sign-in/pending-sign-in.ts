import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import { databaseTime } from "@/lib/platform/runtime/database-time";

/** Long enough to find the phone, milliseconds. */
export const pendingLifeMs = 5 * 60_000;

/** Codes that can be tried before the password is required again. */
const maxTries = 5;

/** A person whose password was correct, and who is not signed in. */
export type PendingSignIn = {
  idHash: string;
  userId: string;
  name: string;
  email: string;
  /** The generation of the person's credentials (known-device.ts). */
  generation: number;
};

/**
 * Records that a person's password was correct, and returns an id for it, which from then on only this browser's cookie
 * knows. It opens nothing but the prompt for a code.
 */
export async function startPendingSignIn(
  db: Executor,
  userId: string,
  now = databaseTime(),
): Promise<string> {
  await db.deleteFrom("pending_sign_ins").where("expires_at", "<=", now).execute();
  const id = newToken();
  await db
    .insertInto("pending_sign_ins")
    .values({
      id_hash: hashOf(id),
      user_id: userId,
      expires_at: now + pendingLifeMs,
      attempts: 0,
    })
    .execute();
  return id;
}

/** Counts a try at a code, before checking it. null where no sign-in is pending. */
export async function countCodeAttempt(
  db: Executor,
  id: string,
  now = databaseTime(),
): Promise<PendingSignIn | null> {
  const idHash = hashOf(id);
  const row = await db
    .updateTable("pending_sign_ins")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("id_hash", "=", idHash)
    .where("expires_at", ">", now)
    .where("attempts", "<", maxTries)
    .returning("user_id")
    .executeTakeFirst();
  const person = row && (await findPerson(db, row.user_id));
  return person ? { idHash, ...person } : null;
}

async function findPerson(db: Executor, userId: string) {
  return db
    .selectFrom("users")
    .select(["id as userId", "name", "email", "credentials_generation as generation"])
    .where("id", "=", userId)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
}

/** Ends it once it has led to a session; false where another request was first. */
export async function endPendingSignIn(
  db: Executor,
  { idHash }: Pick<PendingSignIn, "idHash">,
): Promise<boolean> {
  const ended = await db
    .deleteFrom("pending_sign_ins")
    .where("id_hash", "=", idHash)
    .executeTakeFirst();
  return ended.numDeletedRows === 1n;
}

/** Makes a person in the middle of a sign-in begin again. */
export async function endPendingSignInsOf(db: Executor, userId: string): Promise<void> {
  await db.deleteFrom("pending_sign_ins").where("user_id", "=", userId).execute();
}
