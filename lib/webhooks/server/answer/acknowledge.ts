import "server-only";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import type { Acknowledgement } from "@/lib/webhooks/model/outside";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { acknowledgeIncident } from "@/lib/webhooks/server/observe/incident";
import type { Difference } from "@/lib/webhooks/server/observe/look";
import { changeTypes, loadKnown, type Known } from "@/lib/webhooks/server/observe/observed";
import { requireConnectionRef } from "@/lib/webhooks/server/observe/reading";
import { differenceNames } from "./configuration";

/**
 * Records who acknowledged a difference that no save here asked for; from then on no screen asks about it. Changes
 * nothing at the service. Records nothing where somebody else did so first.
 *
 * Throws `changed_meanwhile` where there is a difference that they were not shown, `not_found` or `not_connected`.
 */
export async function acknowledgeOutside(
  access: PartnerAccess<"webhooks.write">,
  environmentName: string,
  { changes: shown }: Acknowledgement,
  context: RequestContext,
): Promise<void> {
  const connectionRef = await requireConnectionRef(access, environmentName);
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      const nameOf = await differenceNames(connectionRef);
      for (;;) {
        const known = await loadKnown(trx, connectionRef);
        const changes = changesIn(known, nameOf);
        if (changes.length === 0) return;
        if (changes.some(({ id }) => !shown.includes(id)))
          throw new ProblemError("changed_meanwhile", { applied: "no" });
        const isStored = await changeTypes(trx, connectionRef, known, (observed) => ({
          ...observed,
          difference: null,
        }));
        // A concurrent reading may have found another one.
        if (!isStored) continue;
        const acknowledged = changes.map(({ change, difference }) => ({
          type: change.type,
          difference,
        }));
        await acknowledgeIncident(trx, connectionRef.connection.id, acknowledged);
        await recordHistory(trx, {
          ...entryBase(access, context),
          environment: connectionRef.environment,
          kind: "outside_acknowledged",
          types: changes.map(({ change }) => change.type),
          detail: { changes: changes.map(({ change }) => change) },
        });
        return;
      }
    });
}

function changesIn(
  { last }: Known,
  nameOf: (type: WebhookType, difference: Difference) => string,
): { id: string; change: WebhookChange; difference: Difference }[] {
  return webhookTypes.flatMap((type) => {
    const difference = last?.types[type].difference;
    if (!difference) return [];
    const { before, after } = difference;
    const change: WebhookChange = { type, outcome: "seen", before, after };
    return [{ id: nameOf(type, difference), change, difference }];
  });
}
