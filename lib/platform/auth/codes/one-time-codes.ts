import "server-only";
import type { Db, Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { decryptFor, encryptFor, type FieldIdentity } from "@/lib/platform/secrets/field";
import { people } from "@/lib/platform/secrets/model/people";
import { Secret } from "@/lib/platform/runtime/secret";
import type { Transaction } from "kysely";
import { randomBytes } from "node:crypto";
import {
  clear,
  recordWrongGuess,
  inSeconds,
  consumeFrom,
  type Limit,
  type RateLimitResult,
} from "@/lib/platform/limits/limits";
import type { KnownDevice } from "@/lib/platform/auth/sign-in/known-device";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { stepOf, base32, fromBase32 } from "./totp";
import { forgetRecoveryCodes, issueRecoveryCodes, spendRecoveryCode } from "./recovery-codes";

/** RFC 4226, 4: as long as the hash that it keys. */
const secretBytes = 20;

/** How long a secret that was shown waits for its first code, milliseconds. */
const enrolmentLife = 30 * 60_000;

function secretField(userId: string): FieldIdentity {
  return { table: "one_time_codes", row: userId, column: "secret" };
}

/**
 * A new secret, as text for an authenticator app. Codes are not required until one has confirmed it. null where the
 * person has codes already.
 */
export async function beginEnrolment(
  db: Executor,
  userId: string,
  now = databaseTime(),
): Promise<string | null> {
  const secret = base32(randomBytes(secretBytes));
  const sealed = await encryptFor(db, people, secretField(userId), new Secret(secret));
  const stored = await db
    .insertInto("one_time_codes")
    .values({
      user_id: userId,
      secret_ciphertext: sealed,
      created_at: now,
      confirmed_at: null,
      last_step: 0,
    })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet({ secret_ciphertext: sealed, created_at: now })
        .where("one_time_codes.confirmed_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  return stored ? secret : null;
}

export type Confirmation =
  | { outcome: "confirmed"; recoveryCodes: string[] }
  | { outcome: "wrong" }
  /** Nothing is pending: it took too long, was not begun, or was done already. */
  | { outcome: "over" };

/** Requires codes from now on, once a code proves that the person's device makes them. In a transaction. */
export async function confirmEnrolment(
  db: Executor,
  userId: string,
  code: string,
  now = databaseTime(),
): Promise<Confirmation> {
  const row = await find(db, userId);
  if (!row || row.confirmed_at !== null || row.created_at <= now - enrolmentLife)
    return { outcome: "over" };
  const step = stepOf(await secretOf(db, row), code, now);
  if (step === null) return { outcome: "wrong" };
  const confirmed = await db
    .updateTable("one_time_codes")
    .set({ confirmed_at: now, last_step: step })
    .where("user_id", "=", userId)
    .where("secret_ciphertext", "=", row.secret_ciphertext)
    .where("confirmed_at", "is", null)
    .executeTakeFirst();
  if (confirmed.numUpdatedRows !== 1n) return { outcome: "over" };
  return { outcome: "confirmed", recoveryCodes: await issueRecoveryCodes(db, userId) };
}

/** Removes the person's codes, recovery codes too. Returns whether there were any. */
export async function forgetCodes(db: Executor, userId: string): Promise<boolean> {
  // The secret first, as when a code is used up: two transactions that need both lock them in the same order.
  const gone = await db
    .deleteFrom("one_time_codes")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  await db.deleteFrom("one_time_codes").where("user_id", "=", userId).execute();
  await forgetRecoveryCodes(db, userId);
  return gone.numDeletedRows === 1n;
}

export type CodeKind = "one_time_code" | "recovery_code";

export type CodeCheck<Result> =
  | { outcome: "right"; result: Result }
  /** `blockedSeconds`: for how long further codes are not checked, if at all. */
  | { outcome: "wrong"; blockedSeconds: number | null }
  | { outcome: "throttled"; retryAfterSeconds: number };

/**
 * Whether this is a code of the person's: a valid one that was not used before, or an unused recovery code. Uses it up
 * together with `work`, for which it is given, or not at all. Counts guesses by person, whoever makes them: 20 a day,
 * which is one chance in 16,000. Ten of them are reserved for the browsers in which the person has signed in.
 */
export async function checkCode<Result>(
  db: Db,
  { userId, code, device }: { userId: string; code: string; device: KnownDevice | null },
  work: (trx: Transaction<Database>, by: CodeKind) => Promise<Result>,
  now = databaseTime(),
): Promise<CodeCheck<Result>> {
  const bucket = codeBucket(userId, device);
  const limit: RateLimitResult = await consumeFrom(db, bucket, now);
  if (!limit.allowed) return { outcome: "throttled", retryAfterSeconds: limit.retryAfterSeconds };
  const done = await db.transaction().execute(async (trx) => {
    // Locks the person first, as every change of credentials does.
    await lockPerson(trx, userId);
    const by = await spend(trx, userId, code, now);
    return by && { result: await work(trx, by) };
  });
  if (!done)
    return { outcome: "wrong", blockedSeconds: inSeconds(await recordWrongGuess(db, bucket, now)) };
  await clear(db, bucket);
  return { outcome: "right", result: done.result };
}

/** Otherwise anybody who knows the password could lock its person out with wrong codes. */
function codeBucket(userId: string, device: KnownDevice | null): Limit {
  // Of the person and not of the mark: a thief of the mailbox gets a new one with every password that they set.
  const key = device ? `code in a known browser of ${userId}` : `code ${userId}`;
  return { key, most: 10, seconds: 24 * 60 * 60, slows: true };
}

async function spend(
  db: Executor,
  userId: string,
  code: string,
  now: number,
): Promise<CodeKind | null> {
  const row = await lockRow(db, userId);
  if (!row) return null;
  const step = stepOf(await secretOf(db, row), code, now);
  if (step !== null) return (await spendStep(db, userId, step)) ? "one_time_code" : null;
  return (await spendRecoveryCode(db, userId, code, now)) ? "recovery_code" : null;
}

/**
 * Writes first, so that another transaction for this person's codes waits here until this one ends, and then sees its
 * result.
 */
async function lockRow(db: Executor, userId: string): Promise<Row | undefined> {
  return db
    .updateTable("one_time_codes")
    .set((eb) => ({ last_step: eb.ref("last_step") }))
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .returning(["user_id", "secret_ciphertext", "created_at", "confirmed_at"])
    .executeTakeFirst();
}

/** Of concurrent requests with the same code, only the first succeeds. */
async function spendStep(db: Executor, userId: string, step: number): Promise<boolean> {
  const used = await db
    .updateTable("one_time_codes")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}

type Row = {
  user_id: string;
  secret_ciphertext: string;
  created_at: number;
  confirmed_at: number | null;
};

async function find(db: Executor, userId: string): Promise<Row | undefined> {
  return db
    .selectFrom("one_time_codes")
    .select(["user_id", "secret_ciphertext", "created_at", "confirmed_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

async function secretOf(db: Executor, row: Row): Promise<Buffer> {
  const text = await decryptFor(db, people, secretField(row.user_id), row.secret_ciphertext);
  return fromBase32(text.reveal());
}
