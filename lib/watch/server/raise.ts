import "server-only";
import type { Alert } from "@/lib/alerts/model/alert";
import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import type { Database } from "@/lib/platform/database/tables";
import type { Transaction } from "kysely";

/** Findings of the watch that raise an alert; one for all partners where a service fails as a whole. */
export type Finding = Extract<
  Alert,
  {
    kind: "connection_failing" | "connection_recovered" | "service_failing" | "service_recovered";
  }
>;

/**
 * In the transaction that records it. Each occurrence raises one alert, whichever process finds it, and however often.
 */
export async function raise(trx: Transaction<Database>, finding: Finding): Promise<void> {
  const partnerId = "partnerId" in finding ? finding.partnerId : "";
  const once = [finding.kind, finding.environment, partnerId, finding.since].join(":");
  await enqueueAlert(trx, finding, { once });
}
