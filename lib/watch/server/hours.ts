import "server-only";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { log } from "@/lib/platform/log/log";
import { inFlight, isStopping, pauseUnlessStopping } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { hourOf } from "@/lib/watch/model/overview";
import type { Reading } from "@/lib/webhooks/server/observe/reading";
import { sql, type Selectable } from "kysely";

/**
 * The figures of an hour's readings. All readings of an environment share a row: each process adds its own to it once a
 * second, so that none waits for another. A process that dies loses what it has not stored.
 */

type HourRow = Selectable<Database["watch_hours"]>;

const storeEveryMs = 1_000;
const againAfterMs = 5_000;

const counted = () =>
  processWide("watch-hours", () => ({ rows: new Map<string, HourRow>(), isDue: false }));

export function countInHour({ connectionRef: { environment }, at, fault, listMs }: Reading): void {
  const answerMs = fault ? null : listMs;
  add({
    environment,
    hour: hourOf(at),
    readings: 1,
    failed: fault ? 1 : 0,
    answered: answerMs === null ? 0 : 1,
    answer_ms: Math.round(answerMs ?? 0),
  });
  storeIn(storeEveryMs);
}

function storeIn(ms: number): void {
  if (counted().isDue) return;
  counted().isDue = true;
  void inFlight(pauseUnlessStopping(ms).then(storeHours));
}

function add(row: HourRow): void {
  const { rows } = counted();
  const key = JSON.stringify([row.environment, row.hour]);
  const sum = rows.get(key);
  rows.set(key, {
    ...row,
    readings: row.readings + (sum?.readings ?? 0),
    failed: row.failed + (sum?.failed ?? 0),
    answered: row.answered + (sum?.answered ?? 0),
    answer_ms: row.answer_ms + (sum?.answer_ms ?? 0),
  });
}

/** Stores what was counted since the last time; later, if it cannot. What may be stored already is not stored again. */
export async function storeHours(): Promise<void> {
  const { rows } = counted();
  counted().isDue = false;
  // In one order, so that no two processes wait for each other.
  const values = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  rows.clear();
  if (values.length === 0) return;
  await db()
    .insertInto("watch_hours")
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(["environment", "hour"]).doUpdateSet({
        readings: sql<number>`watch_hours.readings + excluded.readings`,
        failed: sql<number>`watch_hours.failed + excluded.failed`,
        answered: sql<number>`watch_hours.answered + excluded.answered`,
        answer_ms: sql<number>`watch_hours.answer_ms + excluded.answer_ms`,
      }),
    )
    .execute()
    .catch((err: unknown) => {
      log.warn({ err }, "figures of the hour were not stored");
      if (isDatabaseUnavailable(err) && err.mayHaveRun) return;
      values.forEach(add);
      if (!isStopping()) storeIn(againAfterMs);
    });
}
