import "server-only";
import type { StaffRole } from "@/lib/platform/access/model/roles";
import type { Executor } from "@/lib/platform/database/open";
import { randomUUID } from "node:crypto";

type NewStaff = {
  name: string;
  /** Lower-case. */
  email: string;
  role: StaffRole;
  /** null: they have still to choose one, or sign in elsewhere. One that is set was typed in at the terminal. */
  passwordHash: string | null;
};

/** Adds a person of the staff and gives their id, or null where somebody has the address already. On trust. */
export async function insertStaff(
  db: Executor,
  { name, email, role, passwordHash }: NewStaff,
): Promise<string | null> {
  const inserted = await db
    .insertInto("users")
    .values({
      id: randomUUID(),
      name,
      email,
      password_hash: passwordHash,
      staff_role: role,
      disabled_at: null,
      created_at: Date.now(),
      address_proven_at: passwordHash === null ? null : Date.now(),
      address_proven_by: passwordHash === null ? null : "terminal",
    })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id ?? null;
}
