import "server-only";
import { db, type Executor } from "@/lib/db/open";
import type { Database } from "@/lib/db/schema";
import { env } from "@/lib/env";
import { fieldErrorTitles, type FieldCode } from "@/lib/field-errors";
import { recordPerson } from "@/lib/history/record-person";
import { log } from "@/lib/log";
import { hashOf, newToken } from "@/lib/one-time-token";
import { ProblemError } from "@/lib/problem";
import type { Transaction } from "kysely";
import { TooManyHashesError } from "./hashing-slots";
import { hashPassword } from "./password-hash";
import { passwordFault } from "./password-rules";
import { endSessionsOf } from "./sessions";

/** Long enough for a weekend, milliseconds. */
const lifeMs = 72 * 60 * 60_000;

/** How long to stay away when this process has more passwords to hash than it can, in seconds. */
const busySeconds = 10;

/**
 * A one-time link with which this person chooses a password; earlier ones stop working. Nothing else knows it: the
 * database has a hash of its token, which stands after the #, where no server, log or Referer sees it.
 */
export async function issuePasswordLink(
  trx: Transaction<Database>,
  userId: string,
  now = Date.now(),
): Promise<string> {
  const token = newToken();
  await trx
    .updateTable("password_links")
    .set({ used_at: now })
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .execute();
  await trx
    .insertInto("password_links")
    .values({
      token_hash: hashOf(token),
      user_id: userId,
      created_at: now,
      expires_at: now + lifeMs,
      used_at: null,
    })
    .execute();
  return new URL(`/choose-password#${token}`, env().url).href;
}

export type PasswordLinkState = "open" | "used" | "expired";

/** Whose link this is and whether it still works. Changes nothing. Throws `not_found`. */
export async function readPasswordLink(
  token: string,
): Promise<{ state: PasswordLinkState; name: string; email: string }> {
  const { state, name, email } = await find(db(), token);
  return { state, name, email };
}

/**
 * Sets the password, once, and ends all sessions of the person: whoever had the old one is out.
 * Throws `not_found`, `invitation_over` with its state, `invalid_fields`, or `too_many_requests`.
 */
export async function choosePassword(
  { token, password }: { token: string; password: string },
  context: { requestId: string; clientAddress: string | null },
): Promise<{ email: string }> {
  const link = await find(db(), token);
  if (link.state !== "open") throw over(link.state);
  const fault = passwordFault(password, link);
  if (fault) throw refused(fault);
  const passwordHash = await hash(password, link.userId);
  await db()
    .transaction()
    .execute(async (trx) => {
      const now = Date.now();
      // The person first, as wherever links are made: two transactions that want both wait for one another in turn.
      await trx
        .updateTable("users")
        .set({ password_hash: passwordHash })
        .where("id", "=", link.userId)
        .execute();
      const used = await trx
        .updateTable("password_links")
        .set({ used_at: now })
        .where("token_hash", "=", hashOf(token))
        .where("used_at", "is", null)
        .where("expires_at", ">", now)
        .executeTakeFirst();
      if (used.numUpdatedRows !== 1n) throw over("used");
      await endSessionsOf(trx, link.userId, now);
      await recordPerson(trx, {
        ...context,
        who: { id: link.userId, name: link.name },
        kind: "password_changed",
        outcome: "by_link",
        detail: {},
      });
    });
  log.info({ ...context, userId: link.userId }, "a password was chosen by a link");
  return { email: link.email };
}

type Found = {
  state: PasswordLinkState;
  userId: string;
  name: string;
  email: string;
};

async function find(executor: Executor, token: string): Promise<Found> {
  const row = await executor
    .selectFrom("password_links")
    .innerJoin("users", "users.id", "password_links.user_id")
    .select(["users.id", "users.name", "users.email", "expires_at", "used_at"])
    .where("token_hash", "=", hashOf(token))
    .where("users.disabled_at", "is", null)
    .executeTakeFirst();
  if (!row) throw new ProblemError("not_found", { applied: "no" });
  const expired = row.expires_at <= Date.now() ? "expired" : "open";
  return {
    state: row.used_at === null ? expired : "used",
    userId: row.id,
    name: row.name,
    email: row.email,
  };
}

async function hash(password: string, userId: string): Promise<string> {
  try {
    return await hashPassword(password, { known: userId });
  } catch (error) {
    if (!(error instanceof TooManyHashesError)) throw error;
    throw new ProblemError("too_many_requests", {
      applied: "no",
      retryable: true,
      retryAfter: busySeconds,
    });
  }
}

function over(state: PasswordLinkState): ProblemError {
  return new ProblemError("invitation_over", { applied: "no", extra: { state } });
}

function refused(code: FieldCode): ProblemError {
  const errors = [{ path: "password", code, message: fieldErrorTitles[code] }];
  return new ProblemError("invalid_fields", { applied: "no", errors });
}
