import "server-only";
import { db } from "@/lib/platform/database/open";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { hourOf, shownHours } from "@/lib/watch/model/overview";
import { isOfService } from "@/lib/watch/model/service";
import { maxAheadMs, alertAfterMs } from "@/lib/watch/model/schedule";
import { sql, type Transaction } from "kysely";
import { readService, type WatchClock, type Watched } from "./schedules";
import type { Alert } from "@/lib/alerts/model/alert";
import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import type { Database } from "@/lib/platform/database/tables";

/** Rows of one statement: few enough to hold its locks only briefly. */
const batchSize = 500;

/** Periodic work. Returns how many connections of the environment are watched. */
export async function runMaintenance(
  watched: Watched,
  clock: WatchClock,
  random: () => number = Math.random,
): Promise<number> {
  await scheduleNew(watched, clock, random);
  await rescheduleFarFuture(watched, await clock.steady());
  await alertFailing(watched, clock);
  await prune(clock.wall());
  const { size } = await db()
    .selectFrom("reading_schedule")
    .select(({ fn }) => fn.countAll<number>().as("size"))
    .where("environment", "=", watched.environment)
    .executeTakeFirstOrThrow();
  return size;
}

/** First readings are drawn from this part of a period, so that the last of them end within it. */
const firstReadingSpread = 0.95;

/** Schedules the first reading of new connections at random within the period, to spread them from the start. */
async function scheduleNew(
  { environment, plan }: Watched,
  clock: WatchClock,
  random: () => number,
): Promise<void> {
  for (;;) {
    const missing = await db()
      .selectFrom("connections")
      .leftJoin("reading_schedule", "reading_schedule.connection_id", "connections.id")
      .select("connections.id")
      .where("connections.environment", "=", environment)
      .where("reading_schedule.connection_id", "is", null)
      .limit(batchSize)
      .execute();
    if (missing.length === 0) return;
    const now = await clock.steady();
    await db()
      .insertInto("reading_schedule")
      .values(
        missing.map(({ id }) => ({
          connection_id: id,
          environment,
          failures: 0,
          due_at: Math.round(now + random() * firstReadingSpread * plan.everyMs),
        })),
      )
      .onConflict((conflict) => conflict.column("connection_id").doNothing())
      .execute();
  }
}

/**
 * Reschedules readings that are too far ahead: the period was shortened, or the steady clock restarted. The remainder
 * of dividing by the period is as good as a random draw.
 */
async function rescheduleFarFuture({ environment, plan }: Watched, now: number): Promise<void> {
  const { everyMs } = plan;
  await db()
    .updateTable("reading_schedule")
    .set({ due_at: sql<number>`cast(${now} as bigint) + due_at % cast(${everyMs} as bigint)` })
    .where("environment", "=", environment)
    .where("due_at", ">", Math.round(now + 1.2 * everyMs))
    .where(({ or, eb }) =>
      or([eb("failures", "=", 0), eb("due_at", ">", Math.round(now + maxAheadMs(everyMs)))]),
    )
    .execute();
}

/** A failing connection is read at once after its credentials change. */
export async function scheduleChanged({ environment }: Watched, clock: WatchClock): Promise<void> {
  const now = await clock.steady();
  await db()
    .updateTable("reading_schedule")
    .set({ due_at: now, failures: 0 })
    .where("connection_id", "in", (eb) =>
      eb
        .selectFrom("reading_schedule as schedule")
        .innerJoin("connections", "connections.id", "schedule.connection_id")
        .select("schedule.connection_id")
        .where("schedule.environment", "=", environment)
        .where("schedule.failing_since", "is not", null)
        .where("schedule.failures", ">", 0)
        .whereRef("schedule.version", "!=", "connections.version"),
    )
    .execute();
}

/**
 * Sends the alert that a connection fails, once for each. Not where the service as a whole fails, which has one alert
 * of its own.
 */
async function alertFailing({ environment, baseUrl }: Watched, clock: WatchClock): Promise<void> {
  const wall = clock.wall();
  const isDown = (await readService({ environment, baseUrl })).downSince !== null;
  for (;;) {
    const failing = await db()
      .selectFrom("reading_schedule")
      .innerJoin("connections", "connections.id", "connection_id")
      .select(["connection_id", "partner_id", "failing_since", "fault_code"])
      .where("reading_schedule.environment", "=", environment)
      .where("reading_schedule.base_url", "=", baseUrl)
      .where("failing_since", "<=", wall - alertAfterMs)
      .where("failing_alert_sent_at", "is", null)
      // A connection that waits for the service has no failures of its own.
      .where("failures", ">", 0)
      .orderBy("failing_since")
      .limit(batchSize)
      .execute();
    const ownFailures = failing.filter(
      ({ fault_code }) => !(isDown && isOfService((fault_code ?? "") as FaultCode)),
    );
    for (const row of ownFailures) await alertOne(environment, row, wall);
    if (ownFailures.length === 0 || failing.length < batchSize) return;
  }
}

type Failing = {
  connection_id: string;
  partner_id: string;
  failing_since: number | null;
  fault_code: string | null;
};

async function alertOne(environment: string, row: Failing, wall: number): Promise<void> {
  await db()
    .transaction()
    .execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("reading_schedule")
        .set({ failing_alert_sent_at: wall })
        .where("connection_id", "=", row.connection_id)
        .where("failing_alert_sent_at", "is", null)
        .where("failing_since", "=", row.failing_since)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return;
      await enqueueOnce(trx, {
        kind: "connection_failing",
        partnerId: row.partner_id,
        environment,
        since: row.failing_since ?? wall,
        problem: row.fault_code ?? "",
      });
    });
}

/** Hours that the Overview no longer shows. */
async function prune(wall: number): Promise<void> {
  await db()
    .deleteFrom("watch_hours")
    .where("hour", "<=", hourOf(wall) - shownHours)
    .execute();
}

/** Findings of the watch that raise an alert. `service_failing`: one for all partners. */
export type Finding = Extract<
  Alert,
  {
    kind: "connection_failing" | "connection_recovered" | "service_failing" | "service_recovered";
  }
>;

/**
 * Enqueues the alert in the transaction that records the finding. Each occurrence raises one, whichever processes find
 * it.
 */
export async function enqueueOnce(trx: Transaction<Database>, finding: Finding): Promise<void> {
  await enqueueAlert(trx, finding, { once: onceOf(finding) });
}

function onceOf(finding: Pick<Finding, "kind" | "environment" | "since">): string {
  const partnerId = "partnerId" in finding ? finding.partnerId : "";
  return [finding.kind, finding.environment, partnerId, finding.since].join(":");
}

/** After an alert that the service fails, a new outage raises the next one only once it has lasted. */
const quietMs = 30 * 60_000;
const lastingMs = 5 * 60_000;

/** `failed`: the last reading that the service failed. One that fails now and then raises few alerts. */
export async function alertServiceFailing(
  trx: Transaction<Database>,
  environment: string,
  since: number,
  failed: { at: number; fault: FaultCode | null },
): Promise<void> {
  if (failed.at - since < lastingMs && (await wasAlerted(trx, environment, since, quietMs))) return;
  const problem = failed.fault ?? "";
  await enqueueOnce(trx, { kind: "service_failing", environment, since, problem });
}

/** Only where an alert said that it failed. */
export async function alertServiceRecovered(
  trx: Transaction<Database>,
  environment: string,
  since: number,
): Promise<void> {
  if (!(await wasAlerted(trx, environment, since))) return;
  await enqueueOnce(trx, { kind: "service_recovered", environment, since });
}

/** Whether there was an alert of the outage that began then, or in the time before. */
async function wasAlerted(
  trx: Transaction<Database>,
  environment: string,
  since: number,
  beforeMs = 0,
): Promise<boolean> {
  const key = (at: number) => onceOf({ kind: "service_failing", environment, since: at });
  const found = await trx
    .selectFrom("alert_deliveries")
    .select("once_key")
    .where("once_key", ">=", key(since - beforeMs))
    .where("once_key", "<=", key(since))
    .execute();
  // A collation may sort another environment's keys between these.
  const ours = `service_failing:${environment}:`;
  return found.some(({ once_key }) => once_key?.startsWith(ours));
}
