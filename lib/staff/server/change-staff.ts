import "server-only";
import { recheckStaffRole } from "@/lib/platform/access/recheck-role";
import { requireId, type StaffAccess } from "@/lib/platform/access/require";
import type { Viewer } from "@/lib/platform/access/viewer";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Transaction } from "kysely";
import type { StaffChange, StaffPerson } from "@/lib/staff/model/staff";
import { findStaff } from "./stored-person";

/**
 * Removes somebody's access at once, or restores it. Not one's own, so that an operator is always left. Throws the
 * problems of `requireStepUp`, `not_found`, or `forbidden` for oneself.
 */
export async function changeStaff(
  { viewer, session }: StaffAccess<"staff.manage">,
  personId: string,
  { disabled }: StaffChange,
  context: RequestContext,
): Promise<StaffPerson> {
  await requireStepUp({ session });
  const person = await db()
    .transaction()
    .execute(async (trx) => {
      const found = await lockStaff(trx, requireId(personId), viewer);
      if (found.you) throw new ProblemError("forbidden", { applied: "no" });
      if (found.disabled === disabled) return found;
      await trx
        .updateTable("users")
        .set({ disabled_at: disabled ? Date.now() : null })
        .where("id", "=", found.id)
        .execute();
      if (disabled) await endSessionsOf(trx, found.id, "disabled");
      await recordPerson(trx, {
        ...context,
        who: viewer,
        kind: "staff_access_changed",
        outcome: disabled ? "disabled" : "enabled",
        detail: { userId: found.id, name: found.name, email: found.email },
      });
      return { ...found, disabled };
    });
  log.info({ ...context, actorId: viewer.id, userId: person.id, disabled }, "staff was changed");
  return person;
}

/**
 * Serialises changes of the staff, and checks again whether the actor still may: of two operators who remove each
 * other's access at once, one is left. Throws `forbidden` or `not_found`.
 */
async function lockStaff(
  trx: Transaction<Database>,
  personId: string,
  viewer: Viewer,
): Promise<StaffPerson> {
  await trx
    .updateTable("users")
    .set((eb) => ({ id: eb.ref("id") }))
    .where("staff_role", "=", "operator")
    .execute();
  await recheckStaffRole(trx, { viewer });
  const person = await findStaff(trx, personId, viewer.id);
  if (!person) throw new ProblemError("not_found", { applied: "no" });
  return person;
}
