import "server-only";
import { lockPartner, lockPerson } from "@/lib/platform/database/row-locks";
import type { Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Transaction } from "kysely";
import type { PartnerAccess, StaffAccess } from "./require";

/**
 * Checks the role again, in the transaction that acts: waiting for others or for the payment service takes seconds, in
 * which somebody may have used their role to take this one away. Later changes of the role wait for this transaction, as
 * do those of four-eyes approval, of which it says whether the partner requires it now. Throws `forbidden`.
 */
export async function recheckRole(
  trx: Transaction<Database>,
  { partner, viewer, role }: Pick<PartnerAccess, "partner" | "viewer" | "role">,
): Promise<{ requiresFourEyes: boolean }> {
  const locked = await lockPartner(trx, partner.id);
  const membership = await trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .innerJoin("partners", "partners.id", "memberships.partner_id")
    .select("role")
    .where("memberships.partner_id", "=", partner.id)
    .where("memberships.user_id", "=", viewer.id)
    .where("users.disabled_at", "is", null)
    .where("partners.suspended_at", "is", null)
    .executeTakeFirst();
  if (membership?.role !== role) throw new ProblemError("forbidden", { applied: "no" });
  const isOn = locked !== undefined && locked.four_eyes_since !== null;
  return { requiresFourEyes: env().requireFourEyes || isOn };
}

/** The same for what a person of the staff does, first in its transaction. */
export async function recheckStaffRole(
  trx: Transaction<Database>,
  { viewer }: Pick<StaffAccess, "viewer">,
): Promise<void> {
  const person = await lockPerson(trx, viewer.id);
  const isStill = person.staff_role === viewer.staffRole && person.disabled_at === null;
  if (!isStill) throw new ProblemError("forbidden", { applied: "no" });
}
