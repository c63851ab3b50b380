import "server-only";
import type { StaffAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { actorOf, recordHistory } from "@/lib/history/server/record/record";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { ChangedPartner, NewPartner } from "@/lib/partners/model/change-requests";
import { insertPartner } from "./insert-partner";

/** Throws `invalid_fields` where the id is taken. */
export async function createPartner(
  { viewer }: StaffAccess<"partners.manage">,
  { id, name }: NewPartner,
  context: RequestContext,
): Promise<ChangedPartner> {
  await db()
    .transaction()
    .execute(async (trx) => {
      if (!(await insertPartner(trx, { id, name })))
        throw new ProblemError("invalid_fields", {
          applied: "no",
          errors: [{ path: "id", code: "taken", message: fieldErrorTitles.taken }],
        });
      await recordHistory(trx, {
        partnerId: id,
        environment: null,
        kind: "partner_created",
        types: [],
        actor: actorOf(viewer, context),
        requestId: context.requestId,
        outcome: null,
        detail: { name },
      });
    });
  return { id, name, suspended: false };
}
