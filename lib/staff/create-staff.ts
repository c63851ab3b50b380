import "server-only";
import { requireStaff } from "@/lib/access/require";
import { issuePasswordLink } from "@/lib/auth/password-link";
import { requireStepUp } from "@/lib/auth/step-up";
import { db } from "@/lib/db/open";
import { fieldErrorTitles } from "@/lib/field-errors";
import type { Origin } from "@/lib/history/origin";
import { log } from "@/lib/log";
import { ProblemError } from "@/lib/problem";
import { insertStaff } from "./insert-staff";
import type { NewStaff } from "./new-staff";
import { recordStaffAdded } from "./record-staff-added";
import type { IssuedLink } from "./staff";

/**
 * Adds a person of the staff and gives the link with which they choose their password, so that nobody else ever knows
 * it. Throws the problems of `requireStaff` and `requireStepUp`, or `invalid_fields` where somebody has the address.
 */
export async function createStaff(
  { name, email, role }: NewStaff,
  origin: Origin,
): Promise<IssuedLink> {
  const viewer = await requireStaff("staff.manage");
  await requireStepUp();
  const { id, link } = await db()
    .transaction()
    .execute(async (trx) => {
      const added = await insertStaff(trx, { name, email, role, passwordHash: null });
      if (added === null)
        throw new ProblemError("invalid_fields", {
          applied: "no",
          errors: [{ path: "email", code: "taken", message: fieldErrorTitles.taken }],
        });
      const made = { id: added, link: await issuePasswordLink(trx, added) };
      await recordStaffAdded(trx, { id: added, name, email, role }, { ...origin, who: viewer });
      return made;
    });
  log.info({ ...origin, actorId: viewer.id, userId: id, role }, "staff was added");
  const person = { id, name, email, role, disabled: false, passwordSet: false, you: false };
  return { person, link };
}
