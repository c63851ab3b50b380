import "server-only";
import type { Alert } from "@/lib/alerts/model/alert";
import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import type { Database } from "@/lib/platform/database/schema";
import type { Transaction } from "kysely";

/** What the watch finds that somebody has to be told; of a service as a whole, one for all of its partners. */
export type Finding = Extract<
  Alert,
  {
    kind: "connection_failing" | "connection_recovered" | "service_failing" | "service_recovered";
  }
>;

/** In the transaction that records it. Each occurrence is told once, whichever process finds it, and however often. */
export async function raise(trx: Transaction<Database>, finding: Finding): Promise<void> {
  const whose = "partnerId" in finding ? finding.partnerId : "";
  const once = [finding.kind, finding.environment, whose, finding.since].join(":");
  await enqueueAlert(trx, finding, { once });
}
