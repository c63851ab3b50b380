import "server-only";
import type { StaffAccess } from "@/lib/platform/access/require";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { insertStaff, recordStaffAdded } from "./insert-staff";
import type { NewStaff } from "@/lib/staff/model/new-staff";
import type { IssuedLink } from "@/lib/staff/model/staff";
import { handOver, makeLink } from "./staff-link";
import { findStaff } from "./stored-person";

/**
 * Adds a person of the staff and has a link reach them with which they choose their password, so that nobody else ever
 * knows it; none where they come by single sign-on. Throws the problems of `requireStepUp`, or `invalid_fields` where somebody has the address.
 */
export async function createStaff(
  { viewer, session }: StaffAccess<"staff.manage">,
  { name, email, role }: NewStaff,
  context: RequestContext,
): Promise<IssuedLink> {
  await requireStepUp({ session });
  const { person, link } = await db()
    .transaction()
    .execute(async (trx) => {
      const added = await insertStaff(trx, { name, email, role, passwordHash: null });
      if (added === null)
        throw new ProblemError("invalid_fields", {
          applied: "no",
          errors: [{ path: "email", code: "taken", message: fieldErrorTitles.taken }],
        });
      const stored = await findStaff(trx, added, viewer.id);
      if (!stored) throw new Error("who was added is not there");
      const made = await makeLink(trx, stored, viewer);
      await recordStaffAdded(trx, { id: added, name, email, role }, { ...context, who: viewer });
      return { person: stored, link: made };
    });
  log.info({ ...context, actorId: viewer.id, userId: person.id, role }, "staff was added");
  return handOver(person, link, viewer);
}
