import "server-only";
import type { Transaction } from "kysely";
import { recordPerson, type PersonEntry } from "@/lib/history/server/record/record-person";
import type { Database } from "@/lib/platform/database/schema";
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

type Added = { id: string; name: string; email: string; role: StaffRole };

/** The entry that somebody was added to the staff, by an operator or at the terminal: the transaction's last. */
export async function recordStaffAdded(
  trx: Transaction<Database>,
  { id, name, email, role }: Added,
  by: Pick<PersonEntry, "who" | "clientAddress" | "requestId">,
): Promise<void> {
  await recordPerson(trx, {
    ...by,
    kind: "staff_added",
    outcome: null,
    detail: { userId: id, name, email, role },
  });
}
