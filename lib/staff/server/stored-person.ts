import "server-only";
import type { StaffAccess } from "@/lib/platform/access/require";
import { hasProvenAddress } from "@/lib/platform/auth/proven-address";
import { type Executor, db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { StaffPerson } from "@/lib/staff/model/staff";

/** The staff, by name; chosen field by field, no hash among them. */
async function storedStaff(db: Executor, viewerId: string): Promise<StaffPerson[]> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "name", "email", "staff_role", "disabled_at", "password_hash"])
    .select((eb) => [
      "address_proven_at",
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
            standing: standingOf(row),
            link: disabled_at === null ? linkFor(row) : null,
            you: id === viewerId,
          },
        ],
  );
}

type Ways = {
  password_hash: string | null;
  address_proven_at: number | null;
  /** Signs in at their provider; SQLite has no booleans. */
  linked: unknown;
};

function standingOf(row: Ways): StaffPerson["standing"] {
  if (row.password_hash === null && !row.linked) return "waiting";
  return hasProvenAddress(row) ? "active" : "unproven";
}

/**
 * Links are for people who have a password, or cannot sign in yet. With single sign-on and without mail, a link that
 * the operator could use themself would prove nothing about its person.
 */
function linkFor({ password_hash, linked }: Ways): StaffPerson["link"] {
  if (password_hash === null && linked) return null;
  if (env().mail) return "mail";
  return env().oidc ? null : "hand";
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
