import "server-only";
import type { Database } from "@/lib/platform/database/tables";
import { type Transaction } from "kysely";

export type LockedPerson = {
  name: string;
  email: string;
  password_hash: string | null;
  disabled_at: number | null;
  staff_role: Database["users"]["staff_role"];
  credentials_generation: number;
};

/**
 * Serialises changes of what one person has and may do, on both engines: writes to the person's row, so that the second
 * of two transactions waits here and then sees the first one's changes. Returns the row as it is now.
 */
export async function lockPerson(
  trx: Transaction<Database>,
  userId: string,
): Promise<LockedPerson> {
  return trx
    .updateTable("users")
    .set((eb) => ({ created_at: eb.ref("created_at") }))
    .where("id", "=", userId)
    .returning(["name", "email", "password_hash", "disabled_at", "staff_role"])
    .returning("credentials_generation")
    .executeTakeFirstOrThrow();
}

/**
 * Serialises changes of what one partner's people may do, on both engines: writes to the partner's row, so that the
 * second of two transactions waits here and then sees the first one's changes. Returns of the row as it is now what
 * guards those changes; undefined where there is none.
 */
export async function lockPartner(
  trx: Transaction<Database>,
  partnerId: string,
): Promise<{ four_eyes_since: number | null } | undefined> {
  return trx
    .updateTable("partners")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", partnerId)
    .returning("four_eyes_since")
    .executeTakeFirst();
}
