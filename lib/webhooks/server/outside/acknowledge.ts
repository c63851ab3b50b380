import "server-only";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import type { Acknowledgement } from "@/lib/webhooks/model/outside";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import {
  loadLastKnown,
  outsideNames,
  storeKnown,
  type LastKnown,
} from "@/lib/webhooks/server/read/last-known";
import { requireConnectionRef } from "@/lib/webhooks/server/read/read";

/**
 * Records who acknowledged a change made outside Gancho; from then on no screen asks about it. Changes nothing at the
 * service. Records nothing where somebody else did so first.
 *
 * Throws `changed_meanwhile` where there is a change that they were not shown, `not_found` or `not_connected`.
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
      const nameOf = await outsideNames(trx, connectionRef);
      for (;;) {
        const known = await loadLastKnown(trx, connectionRef);
        const changes = changesIn(known, nameOf);
        if (changes.length === 0) return;
        if (changes.some(({ id }) => !shown.includes(id)))
          throw new ProblemError("changed_meanwhile", { applied: "no" });
        // A concurrent reading may have found another change.
        if (!(await storeKnown(trx, connectionRef, known, { outside: {} }))) continue;
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
  { confirmed }: LastKnown,
  nameOf: Awaited<ReturnType<typeof outsideNames>>,
): { id: string; change: WebhookChange }[] {
  return webhookTypes.flatMap((type) => {
    const pending = confirmed?.outside?.[type];
    if (!pending) return [];
    const { before, after } = pending;
    const change: WebhookChange = { type, outcome: "seen", before, after };
    return [{ id: nameOf(type, pending), change }];
  });
}
