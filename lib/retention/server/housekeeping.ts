import "server-only";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { endOverdue } from "@/lib/changes/server/proposals";
import { db, type Db } from "@/lib/platform/database/open";
import { isFollowed } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { isStopping } from "@/lib/platform/runtime/in-flight";
import { sql, type RawBuilder } from "kysely";
import { setTimeout as pause } from "node:timers/promises";

const day = 24 * 60 * 60_000;
/** Rows of one statement, few enough to hold its locks only briefly, and the pause in between, milliseconds. */
const batchSize = 200;
const betweenMs = 50;

type Kept = {
  table: string;
  /** Its primary key. */
  key: string[];
  /** When it ended: null or in the future while it is still needed. */
  over: RawBuilder<unknown>;
  /** For how many days after that; RETAIN_DAYS where left out. */
  days?: number;
};

/**
 * What is kept for a while after it has ended. Live sessions, links that still work, followed saves and waiting
 * proposals have not. The watch deletes its readings, the sender its alerts; only `prune-history` deletes history.
 */
const kept: readonly Kept[] = [
  {
    table: "sessions",
    key: ["id_hash"],
    over: sql`absolute_expires_at`,
  },
  {
    table: "support_views",
    key: ["id"],
    over: sql`coalesce(ended_at, expires_at)`,
  },
  {
    table: "password_links",
    key: ["token_hash"],
    over: sql`coalesce(used_at, expires_at)`,
  },
  {
    table: "invitations",
    key: ["id"],
    over: sql`coalesce(accepted_at, revoked_at, expires_at)`,
  },
  {
    table: "changes",
    key: ["partner_id", "environment", "id"],
    // A voided save is kept for longer than the day in which a browser can send it.
    over: sql`case when state <> 'waiting' and not ${isFollowed}
      then coalesce(closed_at, decided_at, created_at) end`,
  },
  // With what came there.
  { table: "captures", key: ["id"], over: sql`expires_at`, days: 0 },
  { table: "arrivals", key: ["capture_id", "number"], over: sql`at`, days: 1 },
  {
    table: "capture_facts",
    key: ["partner_id", "environment", "type", "fact", "value"],
    over: sql`last_at`,
  },
];

/** Ends expired proposals, and deletes data past its retention. */
export async function clearAway(): Promise<void> {
  await endOverdue();
  await deleteExpired(db(), env().retainDays, databaseTime());
}

/** Deletes all data past its retention, some rows at a time. Returns the number of rows for each table. */
export async function deleteExpired(
  database: Db,
  retainDays: number,
  now: number,
): Promise<Record<string, number>> {
  const gone: Record<string, number> = {};
  for (const { table, key, over, days = retainDays } of kept) {
    const before = now - days * day;
    for (let last = batchSize; last === batchSize && !isStopping();) {
      last = await deleteSome(database, { table, key, over, before });
      if (last > 0) gone[table] = (gone[table] ?? 0) + last;
      if (last === batchSize) await pause(betweenMs);
    }
  }
  if (Object.keys(gone).length > 0) log.info({ gone }, "deleted data past its retention");
  return gone;
}

async function deleteSome(
  database: Db,
  { table, key, over, before }: Pick<Kept, "table" | "key" | "over"> & { before: number },
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      select ${columns} from ${sql.table(table)} where ${over} < ${before} limit ${batchSize}
    )`.execute(database);
  return Number(numAffectedRows ?? 0);
}
