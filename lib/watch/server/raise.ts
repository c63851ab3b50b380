import "server-only";
import type { Alert } from "@/lib/alerts/model/alert";
import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import { log } from "@/lib/platform/log/log";
import type { Database } from "@/lib/platform/database/schema";
import type { Transaction } from "kysely";

/** What the watch finds that somebody has to be told. */
export type Finding = Extract<
  Alert,
  {
    kind: "connection_failing" | "connection_recovered" | "service_failing" | "service_recovered";
  }
>;

/** In the transaction that records it, so that nothing is told twice, or of what was rolled back. */
export async function raise(trx: Transaction<Database>, finding: Finding): Promise<void> {
  log.warn(finding, "the watch found something to tell");
  await enqueueAlert(trx, finding);
}
