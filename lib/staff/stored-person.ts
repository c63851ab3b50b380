import "server-only";
import type { Executor } from "@/lib/db/open";
import type { StaffPerson } from "./staff";

/** The people of the staff, by name; chosen field by field, no hash among them. */
export async function storedStaff(db: Executor, viewerId: string): Promise<StaffPerson[]> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "name", "email", "staff_role", "disabled_at", "password_hash"])
    .where("staff_role", "is not", null)
    .orderBy("name")
    .orderBy("id")
    .execute();
  return rows.flatMap(({ id, name, email, staff_role, disabled_at, password_hash }) =>
    staff_role === null
      ? []
      : [
          {
            id,
            name,
            email,
            role: staff_role,
            disabled: disabled_at !== null,
            passwordSet: password_hash !== null,
            you: id === viewerId,
          },
        ],
  );
}

/** One of them, or null for somebody who is none. */
export async function findStaff(
  db: Executor,
  id: string,
  viewerId: string,
): Promise<StaffPerson | null> {
  return (await storedStaff(db, viewerId)).find((person) => person.id === id) ?? null;
}
