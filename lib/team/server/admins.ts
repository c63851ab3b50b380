import "server-only";
import { adminsOf } from "@/lib/platform/access/admins";
import type { Database } from "@/lib/platform/database/tables";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Transaction } from "kysely";

/** Throws `last_admin` where nobody but this person could manage the partner. The caller holds the partner's lock. */
export async function requireOtherAdmin(
  trx: Transaction<Database>,
  partnerId: string,
  userId: string,
): Promise<void> {
  const admins = await adminsOf(trx, partnerId);
  if (admins.every((id) => id === userId)) throw new ProblemError("last_admin", { applied: "no" });
}

type StoredMember = {
  id: string;
  name: string;
  email: string;
  role: "viewer" | "editor" | "admin";
};

/** Throws `not_found`. */
export async function findMember(
  trx: Transaction<Database>,
  partnerId: string,
  userId: string,
): Promise<StoredMember> {
  const member = await trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "users.name", "users.email", "role"])
    .where("partner_id", "=", partnerId)
    .where("users.id", "=", userId)
    .executeTakeFirst();
  if (!member) throw new ProblemError("not_found", { applied: "no" });
  return member;
}
