import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { createHash, randomBytes } from "node:crypto";
import { base32 } from "./totp";

const count = 10;
/** 80 bits: nobody can guess one, or find it from its hash. */
const bytesEach = 10;

/**
 * Ten codes that replace the person's, in groups of four. They are shown this once: only hashes are stored, each over
 * the person too, so that no code works in another account.
 */
export async function issueRecoveryCodes(db: Executor, userId: string): Promise<string[]> {
  await forgetRecoveryCodes(db, userId);
  const codes = Array.from({ length: count }, () => base32(randomBytes(bytesEach)));
  await db
    .insertInto("recovery_codes")
    .values(
      codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code), used_at: null })),
    )
    .execute();
  return codes.map((code) => code.replace(/.{4}(?=.)/g, "$&-"));
}

/** Uses a code up; false for one that is invalid, or was used. Ignores spaces, dashes and case. */
export async function spendRecoveryCode(
  db: Executor,
  userId: string,
  typed: string,
  now: number,
): Promise<boolean> {
  const code = typed.replace(/[\s-]/g, "").toUpperCase();
  const used = await db
    .updateTable("recovery_codes")
    .set({ used_at: now })
    .where("user_id", "=", userId)
    .where("code_hash", "=", hashOf(userId, code))
    .where("used_at", "is", null)
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}

export async function recoveryCodesLeft(db: Executor, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom("recovery_codes")
    .select(({ fn }) => fn.countAll<number>().as("left"))
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

export async function forgetRecoveryCodes(db: Executor, userId: string): Promise<void> {
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

function hashOf(userId: string, code: string): string {
  return createHash("sha256")
    .update(JSON.stringify([userId, code]))
    .digest("hex");
}
