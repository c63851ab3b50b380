import type { Executor } from "@/lib/platform/database/open";
import { sql } from "kysely";

/**
 * Whether a transaction on this PostgreSQL database waits for a lock. In a transaction, PostgreSQL goes on giving the
 * first answer.
 */
export async function isWaiting(executor: Executor): Promise<boolean> {
  const waits = sql`select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`;
  return (await waits.execute(executor)).rows.length > 0;
}
