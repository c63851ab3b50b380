import "server-only";
import type { Db } from "@/lib/db/open";
import { log } from "@/lib/log";
import { demoPassword } from "./demo-password";
import { TooManyHashesError } from "./hashing-slots";
import { hashPassword, needsRehash, verifyPassword } from "./password-hash";
import { passwordLength } from "./password-rules";
import { startSession } from "./sessions";
import { giveBackTurn, recordFailure, recordSuccess, takeTurn } from "./sign-in-throttle";

export type SignInRequest = {
  email: string;
  password: string;
  clientAddress: string | null;
  userAgent: string | null;
};

export type SignInResult =
  | { outcome: "signed_in"; userId: string; sessionId: string }
  /** Unknown person, wrong password, disabled person: the same answer after the same time. */
  | { outcome: "refused"; userId: string | null }
  | { outcome: "throttled"; retryAfterSeconds: number };

/** How long to stay away when this process has more passwords to check than it can. */
const busySeconds = 10;

/** Checks a password and starts a session. Only the demo accepts the demo's password. */
export async function signIn(
  db: Db,
  request: SignInRequest,
  isDemo: boolean,
): Promise<SignInResult> {
  const result = await attempt(db, request, isDemo);
  const { outcome } = result;
  const userId = "userId" in result ? result.userId : null;
  log.info({ outcome, userId, clientAddress: request.clientAddress }, "sign-in");
  return result;
}

async function attempt(db: Db, request: SignInRequest, isDemo: boolean): Promise<SignInResult> {
  const email = request.email.trim().toLowerCase().slice(0, 320);
  const counted = { email, clientAddress: request.clientAddress };
  const turn = await takeTurn(db, counted);
  if (!turn.allowed) return { outcome: "throttled", retryAfterSeconds: turn.retryAfterSeconds };
  const user = await findUser(db, email);
  const right = await check(user?.password_hash ?? null, request.password);
  if (right === "busy") {
    await giveBackTurn(db, counted);
    return { outcome: "throttled", retryAfterSeconds: busySeconds };
  }
  const barred = user?.disabled_at !== null || (!isDemo && request.password === demoPassword);
  if (!user || !right || barred) {
    await recordFailure(db, counted);
    return { outcome: "refused", userId: user?.id ?? null };
  }
  await recordSuccess(db, counted);
  await renewHash(db, user, request.password);
  return {
    outcome: "signed_in",
    userId: user.id,
    sessionId: await startSession(db, user.id, request),
  };
}

type User = { id: string; password_hash: string | null; disabled_at: number | null };

async function findUser(db: Db, email: string): Promise<User | undefined> {
  return db
    .selectFrom("users")
    .select(["id", "password_hash", "disabled_at"])
    .where("email", "=", email)
    .executeTakeFirst();
}

async function check(passwordHash: string | null, password: string): Promise<boolean | "busy"> {
  try {
    // No password that long was ever set; its beginning costs the same time as any other.
    return await verifyPassword(passwordHash, password.slice(0, 2 * passwordLength.max));
  } catch (error) {
    if (error instanceof TooManyHashesError) return "busy";
    throw error;
  }
}

/** Moves a hash of an older cost to today's, now that the password is at hand. */
async function renewHash(db: Db, user: User, password: string): Promise<void> {
  if (user.password_hash === null || !needsRehash(user.password_hash)) return;
  await db
    .updateTable("users")
    .set({ password_hash: await hashPassword(password) })
    .where("id", "=", user.id)
    .where("password_hash", "=", user.password_hash)
    .execute();
}
