import "server-only";
import type { StaffRole } from "@/lib/platform/access/model/roles";
import type { Database } from "@/lib/platform/database/schema";
import { recordPerson, type PersonEntry } from "@/lib/history/server/record/record-person";
import type { Transaction } from "kysely";

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
