import "server-only";
import type { StaffAccess } from "@/lib/platform/access/require";
import { type Executor, db } from "@/lib/platform/database/open";
import type { StaffPerson } from "@/lib/staff/model/staff";

/** The staff, by name; chosen field by field, no hash among them. */
async function storedStaff(db: Executor, viewerId: string): Promise<StaffPerson[]> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "name", "email", "staff_role", "disabled_at", "password_hash"])
    .select((eb) => [
      eb
        .exists(eb.selectFrom("identities").select("subject").whereRef("user_id", "=", "users.id"))
        .as("linked"),
    ])
    .where("staff_role", "is not", null)
    .orderBy("name")
    .orderBy("id")
    .execute();
  return rows.flatMap(({ id, name, email, staff_role, disabled_at, ...row }) =>
    staff_role === null
      ? []
      : [
          {
            id,
            name,
            email,
            role: staff_role,
            disabled: disabled_at !== null,
            waiting: row.password_hash === null && !row.linked,
            you: id === viewerId,
          },
        ],
  );
}

/** One of them, or null for somebody who is not staff. */
export async function findStaff(
  db: Executor,
  id: string,
  viewerId: string,
): Promise<StaffPerson | null> {
  return (await storedStaff(db, viewerId)).find((person) => person.id === id) ?? null;
}

export async function listStaff({ viewer }: StaffAccess<"staff.manage">): Promise<StaffPerson[]> {
  return storedStaff(db(), viewer.id);
}
