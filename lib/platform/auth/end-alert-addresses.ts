import "server-only";
import {
  byNobody,
  entryBase,
  recordHistory,
  type EntryOrigin,
} from "@/lib/history/server/record/record";
import type { Database } from "@/lib/platform/database/tables";
import type { Transaction } from "kysely";

/**
 * Removes the alert addresses of a partner that match, and what waits to be sent to them; returns how many. `by`: who
 * does; null where nobody here did.
 */
export async function endAlertAddresses(
  trx: Transaction<Database>,
  which: { partner_id: string } & ({ id: string } | { address: string }),
  by: { id: string } | null,
  context: EntryOrigin,
): Promise<number> {
  const { partner_id: id } = which;
  const removed = await trx
    .deleteFrom("alert_addresses")
    .where((eb) => eb.and(which))
    .returning(["id", "address"])
    .execute();
  for (const row of removed) {
    await trx
      .deleteFrom("alert_deliveries")
      .where("recipient", "=", `address:${row.id}`)
      .where("state", "=", "waiting")
      .execute();
    await recordHistory(trx, {
      ...(by === null
        ? { ...byNobody, partnerId: id, requestId: context.requestId }
        : entryBase({ partner: { id }, viewer: by }, context)),
      kind: "alert_address_removed",
      detail: { address: row.address },
    });
  }
  return removed.length;
}
