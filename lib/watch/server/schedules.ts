import "server-only";
import { isLeased } from "@/lib/platform/database/lease";
import { db, isPostgres, type Executor } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import type { Database, ReadingScheduleRow } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { readerTimings } from "@/lib/platform/runtime/timings";
import {
  newService,
  planOf,
  serviceFaults,
  type ServiceState,
  type WatchPlan,
} from "@/lib/watch/model/service";
import { newSchedule, type ReadingSchedule } from "@/lib/watch/model/schedule";
import type { Transaction } from "kysely";

/** The watch's two clocks; tests have their own. */
export type WatchClock = {
  /** The steady clock, which all processes share. */
  steady: () => Promise<number>;
  /** The time of day. */
  wall: () => number;
};

export const realClock: WatchClock = { steady: () => readSteadyClock(), wall: databaseTime };

/** One process reads at a time. */
export const readerLease = "reader";

export function isAnyoneReading(): Promise<boolean> {
  return isLeased(readerLease, readerTimings);
}

/** An environment as the watch reads it. */
export type Watched = { environment: string; baseUrl: string; plan: WatchPlan };

/** null where it is not watched. */
export function watchedEnvironment(environment: string): Watched | null {
  const { environments, watchEveryMs } = env();
  const baseUrl = environments.get(environment);
  return watchEveryMs !== null && baseUrl !== undefined
    ? { environment, baseUrl, plan: planOf(watchEveryMs) }
    : null;
}

/**
 * Connections that are due, the longest due first, without those that are being read. `isProbe`: also one that is not
 * due yet, since while the service does not answer, all may have been postponed. `isEarly`: the same without those that
 * fail for a reason of their own, which are left alone.
 */
export async function dueConnections(
  environment: string,
  {
    now,
    count,
    isProbe,
    isEarly = false,
    busy,
  }: {
    now: number;
    count: number;
    isProbe: boolean;
    isEarly?: boolean;
    busy: ReadonlySet<string>;
  },
): Promise<string[]> {
  if (count === 0) return [];
  const rows = await db()
    .selectFrom("reading_schedule")
    .select("connection_id")
    .where("environment", "=", environment)
    .$if(!isProbe, (query) => query.where("due_at", "<=", now))
    .$if(isEarly, (query) =>
      query.where(({ eb, or }) =>
        or([eb("fault_code", "is", null), eb("fault_code", "in", serviceFaults)]),
      ),
    )
    .orderBy("due_at")
    .limit(count + busy.size)
    .execute();
  return rows
    .map(({ connection_id }) => connection_id)
    .filter((id) => !busy.has(id))
    .slice(0, count);
}

export async function postponeReading(connectionId: string, dueAt: number): Promise<void> {
  await db()
    .updateTable("reading_schedule")
    .set({ due_at: dueAt })
    .where("connection_id", "=", connectionId)
    .execute();
}

export function onPostgres(): boolean {
  return isPostgres(env().databaseUrl.reveal());
}

type Service = Pick<Watched, "environment" | "baseUrl">;

export async function readService(
  { environment, baseUrl }: Service,
  executor: Executor = db(),
): Promise<ServiceState> {
  const row = await executor
    .selectFrom("watch_services")
    .selectAll()
    .where("environment", "=", environment)
    .where("base_url", "=", baseUrl)
    .executeTakeFirst();
  return row ? serviceOf(row) : newService;
}

/** Writes before it reads, so that processes that record at the same time wait for each other. */
export async function lockService(
  trx: Transaction<Database>,
  { environment, baseUrl }: Service,
): Promise<ServiceState> {
  const row = await trx
    .insertInto("watch_services")
    .values({ environment, base_url: baseUrl, paused_until: 0, faults: 0, down_since: null })
    .onConflict((conflict) =>
      conflict
        .columns(["environment", "base_url"])
        .doUpdateSet((eb) => ({ faults: eb.ref("watch_services.faults") })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return serviceOf(row);
}

function serviceOf(row: { paused_until: number; faults: number; down_since: number | null }) {
  return { pausedUntil: row.paused_until, faults: row.faults, downSince: row.down_since };
}

export async function storeService(
  trx: Transaction<Database>,
  { environment, baseUrl }: Service,
  { pausedUntil, faults, downSince }: ServiceState,
): Promise<void> {
  await trx
    .updateTable("watch_services")
    .set({ paused_until: Math.round(pausedUntil), faults, down_since: downSince })
    .where("environment", "=", environment)
    .where("base_url", "=", baseUrl)
    .execute();
}

/**
 * A row as read from this connection. Readings from another address, or as another client, do not count, except that
 * the connection has failed since then: whoever was told so is told when it no longer does.
 */
export function scheduleOf(
  row: ReadingScheduleRow | undefined,
  { baseUrl, clientId }: { baseUrl: string; clientId: string },
  dueAt: number,
): ReadingSchedule {
  if (!row) return newSchedule(dueAt);
  const failing = { failingSince: row.failing_since, alertedAt: row.failing_alert_sent_at };
  if (row.base_url !== baseUrl || row.client_id !== clientId)
    return { ...newSchedule(row.due_at), ...failing };
  return {
    dueAt: row.due_at,
    failures: row.failures,
    fault: row.fault_code as FaultCode | null,
    ...failing,
    confirmedAt: row.confirmed_at,
    outside:
      row.outside_at === null
        ? null
        : {
            since: row.outside_at,
            onlyValue: row.outside_only_value === 1,
          },
  };
}

export function rowOf(schedule: ReadingSchedule) {
  return {
    due_at: Math.round(schedule.dueAt),
    failures: schedule.failures,
    fault_code: schedule.fault,
    failing_since: schedule.failingSince,
    failing_alert_sent_at: schedule.alertedAt,
    confirmed_at: schedule.confirmedAt,
    outside_at: schedule.outside?.since ?? null,
    outside_only_value: schedule.outside?.onlyValue === true ? 1 : 0,
  };
}
