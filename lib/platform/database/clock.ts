import "server-only";
import { log } from "@/lib/platform/log/log";
import { setDatabaseTime } from "@/lib/platform/runtime/database-time";
import { isStopping } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { PostgresAdapter, sql } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import { withinMs } from "./deadline";
import { db, type Db } from "./open";

/** Far more than synchronised machines differ, and than the query may take. */
export const toleratedMs = 5_000;

const intervalMs = 60_000;
/** A slower answer says too little of when the database read its clock. */
const queryTimeoutMs = 1_000;

interface Compared {
  /** How far this machine's clock is ahead of the database's; negative: behind. */
  readonly aheadMs: number;
  /** To be added to `performance.now()`: the database's time, known to `roomMs` on either side at `at`. */
  readonly offset: number;
  readonly roomMs: number;
  /** By `performance.now()`. */
  readonly at: number;
}

/** How far two clocks may move apart meanwhile, for each millisecond: more than quartz does. */
const drift = 1e-4;

const clock = () => processWide("clock-compared", () => ({ last: null as Compared | null }));

/** How far this machine's clock is ahead of the database's; negative: behind; null: not known, or the same clock. */
export function clockAheadMs(): number | null {
  return clock().last?.aheadMs ?? null;
}

/**
 * Compares the two now. null with the embedded database. Rejects where it does not answer soon.
 *
 * Nobody can tell when, during the query, the database read its clock: a slow answer leaves much room. What a faster
 * one said stays in force for as long as both can be true.
 */
export async function compareClocks(database: Db = db()): Promise<number | null> {
  if (!(database.getExecutor().adapter instanceof PostgresAdapter)) return null;
  const began = performance.now();
  const { rows } = await withinMs(queryTimeoutMs, () =>
    sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(database),
  );
  const ended = performance.now();
  // A process that stood still may get its answer before it notices that the time is over.
  if (ended - began > queryTimeoutMs) throw new Error("the database did not tell its time soon");
  const databaseMs = rows[0]?.now ?? Date.now();
  const seen = { offset: databaseMs - (began + ended) / 2, roomMs: (ended - began) / 2 };
  const { offset, roomMs } = closer(clock().last, seen, ended);
  setDatabaseTime(offset);
  const aheadMs = Math.round(Date.now() - performance.now() - offset);
  clock().last = { aheadMs, offset, roomMs, at: ended };
  return aheadMs;
}

type Offset = Pick<Compared, "offset" | "roomMs">;

/** The one with less room, where both can be true; else what was seen now. */
function closer(last: Compared | null, seen: Offset, now: number): Offset {
  if (!last) return seen;
  const roomMs = last.roomMs + (now - last.at) * drift;
  const bothTrue = Math.abs(last.offset - seen.offset) <= roomMs + seen.roomMs;
  return bothTrue && roomMs < seen.roomMs ? { offset: last.offset, roomMs } : seen;
}

/** Compares them now, and once a minute until this process stops. Resolves after the first time. */
export async function watchClock(): Promise<void> {
  await compareAndLog();
  void processWide("clock-watch", async () => {
    while (!isStopping()) {
      await pause(intervalMs, undefined, { ref: false });
      await compareAndLog();
    }
  });
}

async function compareAndLog(): Promise<void> {
  const wasOff = isOff(clockAheadMs());
  // An unavailable database is reported elsewhere.
  const aheadMs = await compareClocks().catch(() => null);
  if (aheadMs === null || isOff(aheadMs) === wasOff) return;
  const aheadSeconds = Math.round(aheadMs / 1_000);
  if (wasOff) log.info({ aheadSeconds }, "this machine's clock agrees with the database's again");
  else
    log.warn(
      { aheadSeconds },
      "this machine's clock and the database's differ: synchronise both; people see the database's time",
    );
}

/** Whether the clocks differ by more than synchronised ones do. */
export function isOff(aheadMs: number | null): boolean {
  return aheadMs !== null && Math.abs(aheadMs) > toleratedMs;
}
