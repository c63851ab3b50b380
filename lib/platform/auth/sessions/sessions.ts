import "server-only";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import type { Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { Database, SessionEnd } from "@/lib/platform/database/tables";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { prepared, type Bound } from "@/lib/platform/database/prepared";
import type { Expression, Transaction } from "kysely";
import { newToken } from "@/lib/platform/auth/one-time-token";
import { newGeneration } from "@/lib/platform/auth/sign-in/known-device";
import { endPendingSignInsOf } from "@/lib/platform/auth/sign-in/pending-sign-in";
import { sessionHash } from "./session-hash";
import { sealedFor, type LeaveProvider } from "./leave-provider";
import { databaseTime } from "@/lib/platform/runtime/database-time";

/** All times in milliseconds. After 30 minutes without a request, or 8 hours in any case, the person signs in again. */
export const sessionLife = { idle: 30 * 60_000, absolute: 8 * 60 * 60_000 };

/** `last_seen_at` is written at most this often, so an idle session may end up to a minute early. */
const touchEvery = 60_000;

/** Where a session came from that began at the provider. */
export type AtProvider = {
  /** Names the session there; null where the provider does not name it. */
  session: string | null;
  /** null where the provider does not offer it. */
  leave: LeaveProvider | null;
};

export type SignInWay = "password" | "single_sign_on" | "passkey";

export type Session = {
  /** Names the session in our records; the cookie cannot be made from it. */
  idHash: string;
  userId: string;
  /** Milliseconds since 1970. */
  signedInAt: number;
  signedInBy: SignInWay;
  /** When the person last confirmed their identity in it (step-up.ts); null: never. */
  steppedUpAt: number | null;
  /** When a passkey last did that; null: never. */
  passkeyAt: number | null;
  /** Whether a passkey did that, or began it. */
  byPasskey: boolean;
};

/** A session that a person can still use somewhere, as they see it. Timestamps in milliseconds. */
export type OpenSession = Browser & { idHash: string; signedInAt: number; lastSeenAt: number };

type Browser = Pick<SignInContext, "clientAddress" | "userAgent" | "locale">;

type Beginning = { by?: SignInWay; now?: number; atProvider?: AtProvider | undefined };

/**
 * Starts a session and returns its id, which from then on only the person's cookie knows. The first one sets the
 * language of mails to the person.
 */
export async function startSession(
  db: Executor,
  userId: string,
  { clientAddress, userAgent, locale }: Browser,
  { by = "password", now = databaseTime(), atProvider }: Beginning = {},
): Promise<string> {
  const id = newToken();
  await db
    .insertInto("sessions")
    .values({
      id_hash: sessionHash(id),
      user_id: userId,
      signed_in_at: now,
      last_seen_at: now,
      absolute_expires_at: now + sessionLife.absolute,
      revoked_at: null,
      client_address: clientAddress?.slice(0, 64) ?? null,
      user_agent: userAgent?.slice(0, 400) ?? null,
      signed_in_by: by,
      provider_session: atProvider?.session ?? null,
      leave_provider: atProvider?.leave ? await sealedFor(id, atProvider.leave) : null,
    })
    .execute();
  if (locale !== undefined)
    await db
      .updateTable("users")
      .set({ locale })
      .where("id", "=", userId)
      .where("locale", "is", null)
      .execute();
  return id;
}

/** The live session of this id, or null when it is unknown, over, ended, or its person disabled. */
export async function findSession(
  ...args: Parameters<typeof findSignedIn>
): Promise<Session | null> {
  return (await findSignedIn(...args))?.session ?? null;
}

/** A session with the rows of its person, as one statement found them. */
export type SessionOf = { session: Session; person: PersonRow[] };

/** The same with its person. */
export async function findSignedIn(
  db: Executor,
  id: string,
  now = databaseTime(),
  { countsAsUse = true } = {},
): Promise<SessionOf | null> {
  const idHash = sessionHash(id);
  const { rows: person } = await signedInRows(db, {
    idHash,
    now,
    usedAfter: now - sessionLife.idle,
    issuer: env().oidc?.issuer ?? "",
  });
  const [row] = person;
  if (!row) return null;
  if (countsAsUse && row.last_seen_at <= now - touchEvery) await touch(db, idHash, now);
  const session = {
    idHash,
    userId: row.id,
    signedInAt: row.signed_in_at,
    signedInBy: row.signed_in_by,
    steppedUpAt: row.reauthenticated_at,
    passkeyAt: row.passkey_at,
    byPasskey: row.signed_in_by === "passkey" || row.passkey_at !== null,
  };
  return { session, person };
}

type SignedIn = { idHash: string; now: number; usedAfter: number; issuer: string };

const signedInRows = prepared((executor, given: Bound<SignedIn>) =>
  personRows(executor, given.issuer)
    .innerJoin("sessions", "sessions.user_id", "users.id")
    .select(["sessions.signed_in_at", "sessions.signed_in_by", "sessions.last_seen_at"])
    .select(["sessions.reauthenticated_at", "sessions.passkey_at"])
    .where("sessions.id_hash", "=", given.idHash)
    .where("sessions.revoked_at", "is", null)
    .where("sessions.absolute_expires_at", ">", given.now)
    .where("sessions.last_seen_at", ">", given.usedAfter),
);

/**
 * People who are not disabled, with what their roles follow from: one row for each membership, or one without. The
 * identity is that of the provider in use, by its issuer.
 */
export function personRows(db: Executor, issuer: string | Expression<string>) {
  return db
    .selectFrom("users")
    .leftJoin("memberships", "memberships.user_id", "users.id")
    .leftJoin("partners", (join) =>
      join
        .onRef("partners.id", "=", "memberships.partner_id")
        .on("partners.suspended_at", "is", null),
    )
    .leftJoin("identities", (join) =>
      join.onRef("identities.user_id", "=", "users.id").on("identities.issuer", "=", issuer),
    )
    .select(["users.id", "users.name", "users.email", "users.email_vouched", "users.staff_role"])
    .select(["identities.subject", "memberships.managed", "memberships.role"])
    .select(["partners.id as partnerId", "partners.name as partnerName"])
    .where("users.disabled_at", "is", null)
    .orderBy("partners.name");
}

export type PersonRow = Awaited<ReturnType<ReturnType<typeof personRows>["execute"]>>[number];

/**
 * For changes of a person's credentials: throws `signed_out` where the session has ended since the request was let in.
 * Call it after `lockPerson`: whatever ends sessions because of changed credentials waits for that lock.
 */
export async function requireLive(
  trx: Transaction<Database>,
  { idHash }: Pick<Session, "idHash">,
): Promise<void> {
  const live = await trx
    .selectFrom("sessions")
    .select("id_hash")
    .where("id_hash", "=", idHash)
    .where("revoked_at", "is", null)
    .where("absolute_expires_at", ">", databaseTime())
    .executeTakeFirst();
  if (!live) throw new ProblemError("signed_out", { applied: "no" });
}

async function touch(db: Executor, idHash: string, now: number): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ last_seen_at: now })
    .where("id_hash", "=", idHash)
    .where("last_seen_at", "<", now)
    .execute();
}

/**
 * Ends a session at once, for every process: a cookie with its id opens nothing any more. Returns its owner; null where
 * it had ended already.
 */
export async function endSession(
  db: Executor,
  id: string,
  now = databaseTime(),
): Promise<{ id: string; name: string } | null> {
  const ended = await db
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("id_hash", "=", sessionHash(id))
    .where("revoked_at", "is", null)
    .where("absolute_expires_at", ">", now)
    .where("last_seen_at", ">", now - sessionLife.idle)
    .returning("user_id")
    .executeTakeFirst();
  if (!ended) return null;
  const person = await db
    .selectFrom("users")
    .select(["id", "name"])
    .where("id", "=", ended.user_id)
    .executeTakeFirst();
  return person ?? null;
}

/** Ends that say nothing about who knows the person's password: their browsers stay known. */
const leavesBrowsersKnown: ReadonlySet<SessionEnd> = new Set(["role_changed", "removed"]);

/**
 * Ends all sessions of a person and their unfinished sign-ins at once, in the caller's transaction; the person reads
 * why when they sign in again. Forgets their browsers, unless only a role changed. Keeps the session with `keptHash`.
 * Returns how many of the others were open.
 */
export async function endSessionsOf(
  db: Executor,
  userId: string,
  because: SessionEnd,
  now = databaseTime(),
  keptHash = "",
): Promise<number> {
  const open = await openSessionsOf(db, userId, now);
  if (!leavesBrowsersKnown.has(because)) await newGeneration(db, userId);
  await endPendingSignInsOf(db, userId);
  await db
    .updateTable("sessions")
    .set({ revoked_at: now, ended_because: because })
    .where("user_id", "=", userId)
    .where("id_hash", "!=", keptHash)
    .where("revoked_at", "is", null)
    .execute();
  return open.filter((one) => one.idHash !== keptHash).length;
}

/**
 * Ends the person's sessions that began at the provider, or those of one session there. Their browsers stay known: it
 * says nothing about a password. Returns how many were open.
 */
export async function endSessionsAtProvider(
  db: Executor,
  { userId, providerSession }: { userId: string; providerSession: string | null },
  now = databaseTime(),
): Promise<number> {
  const ended = await db
    .updateTable("sessions")
    .set({ revoked_at: now, ended_because: "left_provider" satisfies SessionEnd })
    .where("user_id", "=", userId)
    .where("signed_in_by", "=", "single_sign_on")
    .where("revoked_at", "is", null)
    .where("absolute_expires_at", ">", now)
    .$if(providerSession !== null, (query) => query.where("provider_session", "=", providerSession))
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

/** Ends the one other session whose hash begins like this; 0 where it is not open, or is this one. */
export async function endOneOtherSessionOf(
  db: Executor,
  { userId, idHash }: Pick<Session, "userId" | "idHash">,
  key: string,
  because: SessionEnd,
  now = databaseTime(),
): Promise<number> {
  const open = await openSessionsOf(db, userId, now);
  const one = open.find((other) => other.idHash !== idHash && other.idHash.startsWith(key));
  if (!one || key === "") return 0;
  // Whoever used it may know the password: no browser stays known.
  await newGeneration(db, userId);
  await db
    .updateTable("sessions")
    .set({ revoked_at: now, ended_because: because })
    .where("id_hash", "=", one.idHash)
    .execute();
  return 1;
}

/**
 * Ends all sessions of everybody, and whatever a browser has begun to sign in with: unfinished sign-ins, and challenges
 * for a passkey or the provider. Forgets all browsers. Returns how many sessions were open.
 */
export async function endEverySession(
  trx: Transaction<Database>,
  because: SessionEnd,
  now = databaseTime(),
): Promise<number> {
  const { count } = await trx
    .selectFrom("sessions")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("revoked_at", "is", null)
    .where("absolute_expires_at", ">", now)
    .where("last_seen_at", ">", now - sessionLife.idle)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("sessions")
    .set({ revoked_at: now, ended_because: because })
    .where("revoked_at", "is", null)
    .execute();
  await trx.deleteFrom("pending_sign_ins").execute();
  await trx.deleteFrom("passkey_challenges").execute();
  await trx.deleteFrom("provider_step_ups").execute();
  // Far ahead: in a restored backup the number is an old one, and browsers still have marks of the numbers since.
  await trx
    .updateTable("users")
    .set((eb) => ({ credentials_generation: eb("credentials_generation", "+", 1_000) }))
    .execute();
  return Number(count);
}

/** Why the session of this id ended, unless its person ended it here; for a browser that still has its cookie. */
export async function whySessionEnded(db: Executor, id: string): Promise<SessionEnd | null> {
  const row = await db
    .selectFrom("sessions")
    .select("ended_because")
    .where("id_hash", "=", sessionHash(id))
    .executeTakeFirst();
  return row?.ended_because ?? null;
}

/** The person's live sessions, the last used first. */
export async function openSessionsOf(
  db: Executor,
  userId: string,
  now = databaseTime(),
): Promise<OpenSession[]> {
  const rows = await db
    .selectFrom("sessions")
    .select(["id_hash", "signed_in_at", "last_seen_at", "client_address", "user_agent"])
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where("absolute_expires_at", ">", now)
    .where("last_seen_at", ">", now - sessionLife.idle)
    .orderBy("last_seen_at", "desc")
    .orderBy("signed_in_at", "desc")
    .execute();
  return rows.map((row) => ({
    idHash: row.id_hash,
    signedInAt: row.signed_in_at,
    lastSeenAt: row.last_seen_at,
    clientAddress: row.client_address,
    userAgent: row.user_agent,
  }));
}
