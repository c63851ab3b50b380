import "server-only";
import { log } from "@/lib/platform/log/log";
import type { Database } from "@/lib/platform/database/schema";
import type { Transaction } from "kysely";

/** What the watch finds that somebody has to be told. Moments are times of day, `problem` is a problem code. */
export type Finding =
  | {
      kind: "connection_failing";
      partnerId: string;
      environment: string;
      since: number;
      problem: string;
    }
  | { kind: "connection_recovered"; partnerId: string; environment: string; since: number }
  /** Of the service as a whole: one for all of its partners. */
  | { kind: "service_failing"; environment: string; since: number; problem: string }
  | { kind: "service_recovered"; environment: string; since: number };

/** In the transaction that records it, so that nothing is told twice, or of what was rolled back. */
export async function raise(_trx: Transaction<Database>, finding: Finding): Promise<void> {
  log.warn(finding, "the watch found something to tell");
}
