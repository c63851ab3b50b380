import "server-only";
import { db } from "@/lib/platform/database/open";
import type { Database, ReadingScheduleRow } from "@/lib/platform/database/tables";
import { prepared, type Bound } from "@/lib/platform/database/prepared";
import { log } from "@/lib/platform/log/log";
import { inFlight } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { outsideOf } from "@/lib/webhooks/server/observe/observed";
import { onReading, type Reading } from "@/lib/webhooks/server/observe/reading";
import { isOfService, newService, serviceAfter, serviceFaults } from "@/lib/watch/model/service";
import { afterReading, type Facts } from "@/lib/watch/model/schedule";
import { sql, type SqlBool, type Transaction } from "kysely";
import { isDeepStrictEqual } from "node:util";
import { countInHour } from "./hours";
import { alertServiceFailing, alertServiceRecovered, enqueueOnce } from "./maintenance";
import {
  lockService,
  onPostgres,
  readService,
  realClock,
  rowOf,
  storeService,
  scheduleOf,
  watchedEnvironment,
  type WatchClock,
} from "./schedules";

/** Also records people's readings in this process; once, however often it is called. Nobody waits for it. */
export function recordPeoplesReadings(clock: WatchClock = realClock): void {
  processWide("watch-listens", () =>
    onReading((reading) => {
      // Where Gancho itself has no turn, the service was not asked.
      if (reading.by === "watch" || reading.fault?.code === "overloaded") return;
      inFlight(recordReading(reading, clock)).catch((err: unknown) =>
        log.warn({ err }, "a person's reading could not be recorded"),
      );
    }),
  );
}

/**
 * Records what a reading means for its connection's schedule, for the service, and in the hour's figures. Where it
 * fails, nothing of it is recorded, and a connection that was due still is.
 */
export async function recordReading(reading: Reading, clock: WatchClock): Promise<void> {
  const isRecorded = (await recordConfirmed(reading)) || (await recordAll(reading, clock));
  if (isRecorded) countInHour(reading);
}

/** False where its connection was removed meanwhile. */
async function recordAll(reading: Reading, clock: WatchClock): Promise<boolean> {
  const now = await clock.steady();
  return db()
    .transaction()
    .execute(async (trx) => {
      if (onPostgres()) await sql`select ${withoutDisk}`.execute(trx);
      const locked = await lockSchedule(trx, reading);
      if (!locked) return false;
      const { row } = locked;
      await recordSchedule(trx, reading, row, {
        now,
        state: await recordService(trx, reading, row, now),
      });
      return true;
    });
}

/** A crash may forget what is recorded, and it is read again: no disk keeps others waiting for the row of the service. */
const withoutDisk = sql<SqlBool>`set_config('synchronous_commit', 'off', true) = 'off'`;

/**
 * Records that nothing has changed, which is what nearly every reading of a person shows. False where more has to be
 * recorded: the connection or its service failed before, or it shows other differences.
 */
async function recordConfirmed({ by, at, fault, look, connectionRef }: Reading): Promise<boolean> {
  if (by === "watch" || fault || !look) return false;
  const { environment, connection } = connectionRef;
  const { outside } = factsOf(look);
  const { numAffectedRows = 0n } = await confirm(db(), {
    environment,
    id: connection.id,
    version: connection.version,
    baseUrl: connection.baseUrl,
    clientId: connection.clientId,
    at,
    outsideAt: outside?.since ?? null,
    onlyValue: outside?.onlyValue ? 1 : 0,
  });
  return numAffectedRows > 0n;
}

type Confirmed = {
  environment: string;
  id: string;
  version: number;
  baseUrl: string;
  clientId: string;
  at: number;
  outsideAt: number | null;
  onlyValue: number;
};

const confirm = prepared((executor, given: Bound<Confirmed>) =>
  executor
    .updateTable("reading_schedule")
    .set({ confirmed_at: given.at })
    .where("connection_id", "=", given.id)
    .where("version", "=", given.version)
    .where("base_url", "=", given.baseUrl)
    .where("client_id", "=", given.clientId)
    .where("failures", "=", 0)
    .where("fault_code", "is", null)
    .where("failing_since", "is", null)
    .where("failing_alert_sent_at", "is", null)
    .where("confirmed_at", "<=", given.at)
    .where("outside_at", "is not distinct from", given.outsideAt)
    .where("outside_only_value", "=", given.onlyValue)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("watch_services")
            .select("environment")
            .where("environment", "=", given.environment)
            .where("base_url", "=", given.baseUrl)
            .where(({ eb, or }) =>
              or([
                eb("paused_until", "!=", newService.pausedUntil),
                eb("faults", "!=", newService.faults),
                eb("down_since", "is not", newService.downSince),
              ]),
            ),
        ),
      ),
    )
    .$if(onPostgres(), (query) => query.where(withoutDisk)),
);

/**
 * Locks the connection, whose first reading has no row of its own yet. null: it was removed meanwhile. All recordings
 * use the same order, so that no two can deadlock: the connection, then its service.
 */
async function lockSchedule(
  trx: Transaction<Database>,
  { connectionRef: { connection } }: Reading,
): Promise<{ row: ReadingScheduleRow | undefined } | null> {
  const there = await trx
    .selectFrom("connections")
    .select("id")
    .where("id", "=", connection.id)
    .$if(onPostgres(), (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (!there) return null;
  const row = await trx
    .selectFrom("reading_schedule")
    .selectAll()
    .where("connection_id", "=", connection.id)
    .$if(onPostgres(), (query) => query.forUpdate())
    .executeTakeFirst();
  return { row };
}

/** Whether the circuit is open, and whether others were asked to slow down without an answer since. */
type State = { isDown: boolean; isSlowed: boolean };

async function recordService(
  trx: Transaction<Database>,
  { connectionRef, fault, by, at }: Reading,
  row: ReadingScheduleRow | undefined,
  now: number,
): Promise<State> {
  const { environment, connection } = connectionRef;
  const service = { environment, baseUrl: connection.baseUrl };
  // While all is well, no reading waits for another's row.
  if (!fault && isDeepStrictEqual(await readService(service, trx), newService))
    return { isDown: false, isSlowed: false };
  const before = await lockService(trx, service);
  const size = await sizeOf(trx, environment);
  const ended = {
    fault: fault?.code ?? null,
    retryAfter: fault?.retryAfter,
    isScheduled: by === "watch",
    isSlowedAlone: row?.fault_code === "upstream_rate_limited",
    at,
  };
  const after = serviceAfter(before, ended, { now, size });
  await storeService(trx, service, after);
  if (after.downSince !== null && fault && isOfService(fault.code))
    await alertServiceFailing(trx, environment, after.downSince, { at, fault: fault.code });
  if (before.downSince !== null && after.downSince === null) {
    await alertServiceRecovered(trx, environment, before.downSince);
    await scheduleAgain(trx, environment, now);
  }
  return { isDown: after.downSince !== null, isSlowed: before.pausedUntil > 0 && size > 1 };
}

/**
 * Makes connections that failed only because of the service due now, as fast as the pace allows. Skips rows that
 * concurrent recordings have locked.
 */
async function scheduleAgain(
  trx: Transaction<Database>,
  environment: string,
  now: number,
): Promise<void> {
  await trx
    .updateTable("reading_schedule")
    .set({ due_at: now, failures: 0 })
    .where("connection_id", "in", (eb) =>
      eb
        .selectFrom("reading_schedule")
        .select("connection_id")
        .where("environment", "=", environment)
        .where("failing_since", "is not", null)
        .where("fault_code", "in", serviceFaults)
        .$if(onPostgres(), (query) => query.forUpdate().skipLocked()),
    )
    .execute();
}

/** How many connections there are, counted as far as opening the circuit depends on it. */
async function sizeOf(trx: Transaction<Database>, environment: string): Promise<number> {
  const some = await trx
    .selectFrom("reading_schedule")
    .select("connection_id")
    .where("environment", "=", environment)
    .limit(10)
    .execute();
  return some.length;
}

async function recordSchedule(
  trx: Transaction<Database>,
  { connectionRef, by, at, fault, look }: Reading,
  row: ReadingScheduleRow | undefined,
  { now, state }: { now: number; state: State },
): Promise<void> {
  const { environment, connection, partnerId } = connectionRef;
  const everyMs = watchedEnvironment(environment)?.plan.everyMs ?? 0;
  const random = Math.random();
  const before = scheduleOf(row, connection, now + Math.round(random * everyMs));
  const after = afterReading(
    before,
    {
      at,
      fault: fault?.code ?? null,
      retryAfter: fault?.retryAfter,
      facts: look && factsOf(look),
      isScheduled: by === "watch",
    },
    { now, everyMs, random, ...state },
  );
  if (before.alertedAt !== null && after.alertedAt === null)
    await enqueueOnce(trx, {
      kind: "connection_recovered",
      environment,
      partnerId,
      since: before.failingSince ?? at,
    });
  const learned = {
    environment,
    version: connection.version,
    base_url: connection.baseUrl,
    client_id: connection.clientId,
    ...rowOf(after),
  };
  await trx
    .insertInto("reading_schedule")
    .values({ connection_id: connection.id, ...learned })
    .onConflict((conflict) => conflict.column("connection_id").doUpdateSet(learned))
    .execute();
}

/** What may need attention: differences that nobody has acknowledged yet. */
function factsOf({ types }: NonNullable<Reading["look"]>): Facts {
  return { outside: outsideOf(types) };
}
