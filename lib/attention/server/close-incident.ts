import "server-only";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { CloseIncident } from "@/lib/attention/model/close-incident";
import { stepsDone } from "@/lib/attention/model/tone";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { endIncident } from "@/lib/webhooks/server/observe/incident";
import { requireConnectionRef } from "@/lib/webhooks/server/observe/reading";
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
  const { connection, environment } = await requireConnectionRef(access, environmentName);
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      const { id } = access.partner;
      const all = (await attentionOf(trx, [id])).get(id) ?? [];
      const items = all.find((each) => each.environment === environment)?.items ?? [];
      const open = items.find((item) => item.kind === "recovering");
      if (!open || stepsDone(open.steps) < Object.keys(open.steps).length)
        throw new ProblemError("changed_meanwhile", { applied: "no" });
      await endIncident(trx, connection.id);
      await recordHistory(trx, {
        ...entryBase(access, context),
        environment,
        kind: "incident_closed",
        types: open.types,
        detail: { startedAt: Date.parse(open.since), note },
      });
    });
}
