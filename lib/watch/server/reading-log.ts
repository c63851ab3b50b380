import "server-only";
import { isOnlyValue } from "@/lib/history/model/only-value";
import { db } from "@/lib/platform/database/open";
import type { Database, ReadingScheduleRow } from "@/lib/platform/database/tables";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { inFlight } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { onReading, type Reading } from "@/lib/webhooks/server/read/read";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { afterReadings, isOfService, serviceFaults } from "@/lib/watch/model/service";
import { afterReading, type Facts } from "@/lib/watch/model/schedule";
import { sql, type Transaction } from "kysely";
import { alertServiceFailing, alertServiceRecovered, enqueueOnce } from "./maintenance";
import {
  lockService,
  onPostgres,
  realClock,
  rowOf,
  storeService,
  scheduleOf,
  watchedEnvironment,
  type WatchClock,
} from "./schedules";

/**
 * The log of readings: the effect of each on its connection's schedule and hour, and what they say together about the
 * service. Kept in memory first and written a few times a second, many in one transaction: a killed process loses the
 * last readings, which are then still due.
 */

/** How long a person's reading may wait to be written, milliseconds. */
const flushDelayMs = 2_000;
/** Beyond this, while the database is unavailable, the oldest are dropped. */
const maxKept = 10_000;
/** Written in one transaction. */
const batchSize = 200;

type ReadingLog = {
  kept: Reading[];
  writing: Promise<void> | null;
  timer: NodeJS.Timeout | null;
};

const readingLog = () =>
  processWide("watch-reading-log", (): ReadingLog => ({ kept: [], writing: null, timer: null }));

/** Also records people's readings in this process; once, however often it is called. */
export function recordReadings(): void {
  processWide("watch-listens", () =>
    onReading((reading) => {
      if (reading.by !== "watch") addReading(reading);
    }),
  );
}

export function addReading(reading: Reading): void {
  const { kept } = readingLog();
  kept.push(reading);
  if (kept.length > maxKept) kept.splice(0, kept.length - maxKept);
  readingLog().timer ??= setTimeout(() => {
    readingLog().timer = null;
    void inFlight(flushReadings()).catch((err: unknown) =>
      log.warn({ err }, "readings could not be recorded"),
    );
  }, flushDelayMs).unref();
}

/** Writes the readings in memory. Where the database fails, they stay for the next time, and this rejects. */
export async function flushReadings(clock: WatchClock = realClock): Promise<void> {
  const buffer = readingLog();
  while (buffer.writing) await buffer.writing.catch(() => undefined);
  buffer.writing = writeAll(buffer, clock).finally(() => (buffer.writing = null));
  return buffer.writing;
}

async function writeAll(buffer: ReadingLog, clock: WatchClock): Promise<void> {
  while (buffer.kept.length > 0) {
    const readings = buffer.kept.slice(0, batchSize);
    const now = await clock.steady();
    try {
      await db()
        .transaction()
        .execute((trx) => write(trx, readings, now));
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      // They would fail the next time as well, and block all later ones.
      log.error(
        { err, readings: readings.length },
        "some readings could not be recorded and are lost",
      );
    }
    const written = new Set(readings);
    buffer.kept = buffer.kept.filter((reading) => !written.has(reading));
  }
}

/** All writers use the same order, so that no two can deadlock: schedules by id, services, hours. */
async function write(
  trx: Transaction<Database>,
  readings: readonly Reading[],
  now: number,
): Promise<void> {
  const ids = [...new Set(readings.map(({ connectionRef }) => connectionRef.connection.id))].sort();
  const there = await trx
    .selectFrom("connections")
    .select(["id", "environment"])
    .where("id", "in", ids)
    .execute();
  const known = new Set(there.map(({ id }) => id));
  // The connection or its environment may have been removed meanwhile.
  const counted = readings.filter(
    ({ connectionRef }) =>
      known.has(connectionRef.connection.id) && env().environments.has(connectionRef.environment),
  );
  if (counted.length === 0) return;
  const rows = await trx
    .selectFrom("reading_schedule")
    .selectAll()
    .where("connection_id", "in", ids)
    .orderBy("connection_id")
    .$if(onPostgres(), (query) => query.forUpdate())
    .execute();
  const byId = new Map(rows.map((row) => [row.connection_id, row]));
  const stateOf = await writeServices(trx, counted, byId, now);
  await writeSchedules(trx, counted, byId, { now, stateOf });
  await writeHours(trx, counted);
}

type Service = { environment: string; baseUrl: string };

/** Whether the circuit is open, and whether others were asked to slow down without an answer since. */
type State = { isDown: boolean; isSlowed: boolean };

async function writeServices(
  trx: Transaction<Database>,
  readings: readonly Reading[],
  rows: ReadonlyMap<string, ReadingScheduleRow>,
  now: number,
): Promise<(service: Service) => State> {
  const states = new Map<string, State>();
  const nameOf = ({ environment, baseUrl }: Service) => JSON.stringify([environment, baseUrl]);
  const byService = groupBy(readings, ({ connectionRef }) =>
    nameOf({ environment: connectionRef.environment, baseUrl: connectionRef.connection.baseUrl }),
  );
  for (const [name, group] of byKey(byService)) {
    const [environment = "", baseUrl = ""] = JSON.parse(name) as string[];
    const service = { environment, baseUrl };
    const before = await lockService(trx, service);
    const ended = group.map(({ fault, by, at, connectionRef }) => ({
      fault: fault?.code ?? null,
      retryAfter: fault?.retryAfter,
      isScheduled: by === "watch",
      isSlowedAlone: rows.get(connectionRef.connection.id)?.fault_code === "upstream_rate_limited",
      at,
    }));
    const size = await sizeOf(trx, environment);
    const after = afterReadings(before, ended, { now, size });
    if (JSON.stringify(after) !== JSON.stringify(before)) await storeService(trx, service, after);
    states.set(name, {
      isDown: after.downSince !== null,
      isSlowed: before.pausedUntil > 0 && size > 1,
    });
    const failed = ended.findLast(({ fault }) => fault && isOfService(fault));
    if (after.downSince !== null && failed?.fault)
      await alertServiceFailing(trx, environment, after.downSince, failed);
    if (before.downSince !== null && after.downSince === null) {
      await alertServiceRecovered(trx, environment, before.downSince);
      await scheduleAgain(trx, environment, now);
    }
  }
  return (service) => states.get(nameOf(service)) ?? { isDown: false, isSlowed: false };
}

/**
 * Makes connections that failed only because of the service due now, as fast as the pace allows. Skips rows that
 * concurrent writers have locked.
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

async function writeSchedules(
  trx: Transaction<Database>,
  readings: readonly Reading[],
  rows: ReadonlyMap<string, ReadingScheduleRow>,
  { now, stateOf }: { now: number; stateOf: (service: Service) => State },
): Promise<void> {
  const values = [];
  for (const [id, group] of byKey(
    groupBy(readings, ({ connectionRef }) => connectionRef.connection.id),
  )) {
    const row = rows.get(id);
    const last = group.at(-1);
    if (!last) continue;
    const { environment, connection, partnerId } = last.connectionRef;
    const everyMs = watchedEnvironment(environment)?.plan.everyMs ?? 0;
    const random = Math.random();
    let schedule = scheduleOf(row, connection, now + Math.round(random * everyMs));
    // What another client was shown before says nothing about this one.
    const { clientId, baseUrl } = connection;
    const own = group.filter(
      ({ connectionRef: { connection: one } }) =>
        one.clientId === clientId && one.baseUrl === baseUrl,
    );
    for (const reading of own) {
      const alertedBefore = schedule.alertedAt;
      schedule = afterReading(
        schedule,
        {
          at: reading.at,
          fault: reading.fault?.code ?? null,
          retryAfter: reading.fault?.retryAfter,
          facts: reading.facts && factsOf(reading.facts),
          isScheduled: reading.by === "watch",
        },
        { now, everyMs, random, ...stateOf({ environment, baseUrl: connection.baseUrl }) },
      );
      if (alertedBefore !== null && schedule.alertedAt === null)
        await enqueueOnce(trx, {
          kind: "connection_recovered",
          environment,
          partnerId,
          since: row?.failing_since ?? reading.at,
        });
    }
    values.push({
      connection_id: id,
      environment,
      version: connection.version,
      base_url: connection.baseUrl,
      client_id: connection.clientId,
      ...rowOf(schedule),
    });
  }
  await trx
    .insertInto("reading_schedule")
    .values(values)
    .onConflict((conflict) =>
      conflict.column("connection_id").doUpdateSet((eb) => ({
        environment: eb.ref("excluded.environment"),
        due_at: eb.ref("excluded.due_at"),
        version: eb.ref("excluded.version"),
        base_url: eb.ref("excluded.base_url"),
        client_id: eb.ref("excluded.client_id"),
        failures: eb.ref("excluded.failures"),
        fault_code: eb.ref("excluded.fault_code"),
        failing_since: eb.ref("excluded.failing_since"),
        failing_alert_sent_at: eb.ref("excluded.failing_alert_sent_at"),
        confirmed_at: eb.ref("excluded.confirmed_at"),
        outside_at: eb.ref("excluded.outside_at"),
        outside_only_value: eb.ref("excluded.outside_only_value"),
      })),
    )
    .execute();
}

/** The facts of a confirmed reading that may need attention: changes that nobody has acknowledged yet. */
function factsOf(facts: NonNullable<Reading["facts"]>): Facts {
  const outside = webhookTypes.flatMap((type) => facts.outside?.[type] ?? []);
  if (outside.length === 0) return { outside: null };
  return {
    outside: {
      since: Math.min(...outside.map((change) => change.since)),
      onlyValue: outside.every(isOnlyValue),
    },
  };
}

const hourMs = 3_600_000;
/** How many hours are kept, for the Overview. */
export const shownHours = 48;

/** Hours counted from 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}

async function writeHours(trx: Transaction<Database>, readings: readonly Reading[]): Promise<void> {
  const byHour = groupBy(readings, ({ connectionRef, at }) =>
    JSON.stringify([connectionRef.environment, hourOf(at)]),
  );
  const values = byKey(byHour).map(([name, group]) => {
    const [environment, hour] = JSON.parse(name) as [string, number];
    const answers = group.flatMap(({ fault, listMs }) =>
      fault === null && listMs !== null ? [listMs] : [],
    );
    return {
      environment,
      hour,
      readings: group.length,
      failed: group.filter(({ fault }) => fault !== null).length,
      answered: answers.length,
      answer_ms: Math.round(answers.reduce((sum, ms) => sum + ms, 0)),
    };
  });
  await trx
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
    .execute();
}

/** By key, so that all writers lock rows in the same order. */
function byKey<Item>(groups: ReadonlyMap<string, Item>): [string, Item][] {
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}

function groupBy<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
