import "server-only";
import type { Executor } from "@/lib/db/open";
import { createHash, randomBytes } from "node:crypto";

/** All times in milliseconds. After 30 minutes without a request, or 8 hours in any case, the person signs in again. */
export const sessionLife = { idle: 30 * 60_000, absolute: 8 * 60 * 60_000 };

/** `last_seen_at` is written at most this often, so an idle session may end up to a minute early. */
const touchEvery = 60_000;

export type Session = {
  /** Names the session in our own records; the cookie cannot be made from it. */
  idHash: string;
  userId: string;
  /** Milliseconds since 1970. */
  signedInAt: number;
};

export type Origin = { clientAddress: string | null; userAgent: string | null };

/** Starts a session and returns its id, which is known only to the person's cookie from then on. */
export async function startSession(
  db: Executor,
  userId: string,
  { clientAddress, userAgent }: Origin,
  now = Date.now(),
): Promise<string> {
  const id = randomBytes(32).toString("base64url");
  await db
    .insertInto("sessions")
    .values({
      id_hash: hashOf(id),
      user_id: userId,
      signed_in_at: now,
      last_seen_at: now,
      absolute_expires_at: now + sessionLife.absolute,
      revoked_at: null,
      client_address: clientAddress?.slice(0, 64) ?? null,
      user_agent: userAgent?.slice(0, 400) ?? null,
    })
    .execute();
  return id;
}

/** The live session of this id, or null when it is unknown, over, ended, or its person disabled. Counts as activity. */
export async function findSession(
  db: Executor,
  id: string,
  now = Date.now(),
): Promise<Session | null> {
  const idHash = hashOf(id);
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(["sessions.user_id", "sessions.signed_in_at", "sessions.last_seen_at"])
    .where("sessions.id_hash", "=", idHash)
    .where("sessions.revoked_at", "is", null)
    .where("sessions.absolute_expires_at", ">", now)
    .where("sessions.last_seen_at", ">", now - sessionLife.idle)
    .where("users.disabled_at", "is", null)
    .executeTakeFirst();
  if (!row) return null;
  if (row.last_seen_at <= now - touchEvery) await touch(db, idHash, now);
  return { idHash, userId: row.user_id, signedInAt: row.signed_in_at };
}

async function touch(db: Executor, idHash: string, now: number): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ last_seen_at: now })
    .where("id_hash", "=", idHash)
    .where("last_seen_at", "<", now)
    .execute();
}

/** Ends a session at once, for every process: the cookie that still carries its id opens nothing any more. */
export async function endSession(db: Executor, id: string, now = Date.now()): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("id_hash", "=", hashOf(id))
    .where("revoked_at", "is", null)
    .execute();
}

/** Ends all sessions of a person at once, in the caller's transaction. */
export async function endSessionsOf(db: Executor, userId: string, now = Date.now()): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
}

/** The id has 256 random bits, so a plain hash cannot be searched backwards. */
function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
