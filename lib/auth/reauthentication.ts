import "server-only";
import type { Db, Executor } from "@/lib/db/open";
import { log } from "@/lib/log";
import { passwordAgainMs } from "@/lib/password-again";
import { checkPassword, type GivenPassword, type PasswordCheck } from "./check-password";
import type { Session } from "./sessions";

type ReauthenticationResult =
  | Exclude<PasswordCheck, { outcome: "right" | "refused" }>
  | { outcome: "given" | "wrong" }
  /** The person comes by single sign-on alone, and there is nothing to check. */
  | { outcome: "no_password" };

/**
 * Has the person of a session give the password again, which a stolen cookie does not know. Counted against the
 * sign-in's own throttle. That the person has just signed in does not count: so has whoever took the cookie over.
 */
export async function reauthenticate(
  db: Db,
  { idHash, userId }: Pick<Session, "idHash" | "userId">,
  given: GivenPassword,
  { isDemo, now = Date.now() }: { isDemo: boolean; now?: number },
): Promise<ReauthenticationResult> {
  const result = await attempt(db, userId, given, isDemo);
  const { outcome } = result;
  const { requestId, clientAddress } = given;
  const level = outcome === "given" ? "info" : "warn";
  log[level]({ requestId, outcome, userId, clientAddress }, "password given again");
  if (outcome === "given") {
    await db
      .updateTable("sessions")
      .set({ reauthenticated_at: now })
      .where("id_hash", "=", idHash)
      .where("user_id", "=", userId)
      .where("revoked_at", "is", null)
      .execute();
  }
  return result;
}

async function attempt(
  db: Db,
  userId: string,
  given: GivenPassword,
  isDemo: boolean,
): Promise<ReauthenticationResult> {
  const person = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirst();
  if (person?.password_hash === null) return { outcome: "no_password" };
  const checked = await checkPassword(db, given, { isDemo, to: "confirm" });
  if (checked.outcome === "throttled") return checked;
  return { outcome: checked.outcome === "right" && checked.userId === userId ? "given" : "wrong" };
}

/** Whether the password was given again in this session within the last five minutes. */
export async function isReauthenticated(
  db: Executor,
  { idHash, userId }: Pick<Session, "idHash" | "userId">,
  now = Date.now(),
): Promise<boolean> {
  const session = await db
    .selectFrom("sessions")
    .select("reauthenticated_at")
    .where("id_hash", "=", idHash)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  const at = session?.reauthenticated_at ?? null;
  // A clock that was set back must not make it last longer.
  return at !== null && at <= now && now < at + passwordAgainMs;
}
