import "server-only";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { CloseIncident } from "@/lib/attention/model/close-incident";
import { stepsDone } from "@/lib/attention/model/tone";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { endIncident } from "@/lib/webhooks/server/observe/incident";
import { changeTypes, loadKnown } from "@/lib/webhooks/server/observe/observed";
import { requireConnectionRef } from "@/lib/webhooks/server/observe/reading";
import type { Transaction } from "kysely";
import { attentionOf } from "./attention";

/**
 * Ends the environment's incident, once its other steps are done, and records the note. Throws `not_found`,
 * `not_connected`, and `changed_meanwhile` where no incident is open or a step is still to do.
 */
export async function closeIncident(
  access: PartnerAccess<"webhooks.write">,
  environmentName: string,
  { note }: CloseIncident,
  context: RequestContext,
): Promise<void> {
  const connectionRef = await requireConnectionRef(access, environmentName);
  const { connection, environment } = connectionRef;
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      for (;;) {
        const known = await loadKnown(trx, connectionRef);
        const open = await requireDone(trx, access, environment);
        // A concurrent look may have gone on with it.
        if (!(await changeTypes(trx, connectionRef, known, (observed) => observed))) continue;
        await endIncident(trx, connection.id);
        await recordHistory(trx, {
          ...entryBase(access, context),
          environment,
          kind: "incident_closed",
          types: open.types,
          detail: { startedAt: Date.parse(open.since), note },
        });
        return;
      }
    });
}

/** The open incident, whose other steps are done. */
async function requireDone(
  trx: Transaction<Database>,
  { partner: { id }, role }: Pick<PartnerAccess, "partner" | "role">,
  environment: string,
) {
  const all = (await attentionOf(trx, new Map([[id, role]]))).get(id) ?? [];
  const items = all.find((each) => each.environment === environment)?.items ?? [];
  const open = items.find((item) => item.kind === "recovering");
  if (!open || stepsDone(open.steps) < Object.keys(open.steps).length)
    throw new ProblemError("changed_meanwhile", { applied: "no" });
  return open;
}
