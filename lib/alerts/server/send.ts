import "server-only";
import { alertData, isAlertKind, type Alert } from "@/lib/alerts/model/alert";
import { db, isPostgres } from "@/lib/platform/database/open";
import type { AlertDeliveryRow } from "@/lib/platform/database/tables";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { withTimeout } from "@/lib/platform/runtime/deadline";
import { inFlight, isStopping } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { postAlert } from "./post-alert";

/** Milliseconds between two queries for due deliveries. */
const roundMs = 1_000;
/** Milliseconds between two queries for rows that are too old or impossible. */
const tidyMs = 60 * 60_000;
/** Deliveries of one channel in flight at once in one process. */
const concurrency = 4;
/** No attempt takes longer. Less than the grace period of a stopping process (lib/cli/stop.ts). */
const attemptMs = 15_000;
/** How long a claimed delivery belongs to one process; another takes it this long after that one died. */
const claimMs = 45_000;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** The delay after each failed attempt; after the last the delivery is given up: about a day in all. */
const retryAfterMs = [
  10 * second,
  30 * second,
  2 * minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  8 * hour,
];
/** Nothing is due later than this from now: a later time was written by a clock that was wrong. */
const latestMs = 9 * hour;
/** How long a delivery waits for an instance that has its channel configured. */
const leftBehindMs = 3 * 24 * hour;
/** How long sent and given-up deliveries are kept. */
const keepMs = { sent: 7 * 24 * hour, given_up: 90 * 24 * hour };
/**
 * The same for a sent one with a key, which is the only memory of what was given: longer than any reason for the same
 * key lasts.
 */
const keepKeyMs = 30 * 24 * hour;

type Channel = AlertDeliveryRow["channel"];

/** `now`: milliseconds since 1970. */
type Clock = () => number | Promise<number>;

/** Sends due deliveries, in this process until it stops; once, however often it is called. */
export function sendAlerts(): void {
  processWide("alert-sender-loop", () => {
    void keepSending();
    return true;
  });
}

/**
 * Has this process send due deliveries now: a new commit does not wait for the next query. It may be a program that
 * ends soon; a dashboard sends what it leaves.
 */
export function wakeSender(): void {
  const sender = processWide("alert-sender", () => ({ running: false, again: false }));
  sender.again = true;
  if (sender.running) return;
  sender.running = true;
  const run = async () => {
    try {
      while (sender.again && !isStopping()) {
        sender.again = false;
        await sendDue();
      }
    } catch (error) {
      logTrouble(error);
    } finally {
      // Together with the last read of `again`, so that no wake-up is lost.
      sender.running = false;
    }
  };
  void inFlight(run());
}

async function keepSending(): Promise<void> {
  let tidiedAt = -Infinity;
  while (!isStopping()) {
    wakeSender();
    if (performance.now() - tidiedAt > tidyMs) {
      tidiedAt = performance.now();
      await inFlight(pruneDeliveries()).catch(logTrouble);
    }
    await pause(roundMs, undefined, { ref: false });
  }
}

/** The database may be away for a while. Due deliveries stay due. */
function logTrouble(err: unknown): void {
  log.warn({ err }, "alerts could not be sent");
}

/**
 * Sends all due deliveries, and those that become due meanwhile. Others may do so at the same time: each delivery is
 * claimed.
 */
export async function sendDue(clock: Clock = sharedNow): Promise<void> {
  const now = await clock();
  const here = channelsHere();
  // Reading locks nothing; claiming would, on the embedded database, also where nothing is due.
  const due = await db()
    .selectFrom("alert_deliveries")
    .select("channel")
    .distinct()
    .where("state", "=", "waiting")
    .where("due_at", "<=", now)
    .execute();
  const lanes = due
    .filter(({ channel }) => here.includes(channel))
    .flatMap(({ channel }) => Array.from({ length: concurrency }, () => lane(channel, clock)));
  const ended = await Promise.allSettled(lanes);
  for (const lane of ended) if (lane.status === "rejected") throw lane.reason;
}

/** The channels that this instance has configured; another, of a newer configuration, may have more. */
function channelsHere(): Channel[] {
  const { mail, alertsWebhook } = env();
  return [...(mail ? ["mail" as const] : []), ...(alertsWebhook ? ["webhook" as const] : [])];
}

async function lane(channel: Channel, clock: Clock): Promise<void> {
  while (!isStopping()) {
    const claimed = await claimNext(channel, await clock());
    if (!claimed) return;
    await attempt(claimed, clock);
  }
}

/** By one clock for all who share a database: the server's own, or that of the one machine that has the file open. */
async function sharedNow(): Promise<number> {
  return isPostgres(env().databaseUrl.reveal()) ? readSteadyClock() : Date.now();
}

/** One statement on both engines, so that concurrent senders each get another one. */
async function claimNext(channel: Channel, now: number): Promise<AlertDeliveryRow | undefined> {
  const due = db()
    .selectFrom("alert_deliveries")
    .select("id")
    .where("state", "=", "waiting")
    .where("channel", "=", channel)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(1);
  const skipping = isPostgres(env().databaseUrl.reveal()) ? due.forUpdate().skipLocked() : due;
  return db()
    .with(
      (cte) => cte("due").materialized(),
      () => skipping,
    )
    .updateTable("alert_deliveries")
    .set((eb) => ({
      claim: randomUUID(),
      due_at: now + claimMs,
      attempts: eb("attempts", "+", 1),
    }))
    .where("id", "in", (eb) => eb.selectFrom("due").select("due.id"))
    .returningAll()
    .executeTakeFirst();
}

async function attempt(row: AlertDeliveryRow, clock: Clock): Promise<void> {
  const fault = await deliver(row).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const about = { deliveryId: row.id, kind: row.kind, channel: row.channel };
  if (!fault) {
    // Another process that has claimed it meanwhile sends it once more, under the same id; then that is the last time.
    await db()
      .updateTable("alert_deliveries")
      .set({ state: "sent", ended_at: Date.now(), claim: null, fault: null })
      .where("id", "=", row.id)
      .execute();
    return;
  }
  const waitMs = retryAfterMs[row.attempts - 1];
  const { error: err } = fault;
  if (waitMs === undefined) log.error({ ...about, err }, "an alert was given up");
  else log.warn({ ...about, err, attempt: row.attempts }, "an alert could not be delivered yet");
  await db()
    .updateTable("alert_deliveries")
    .set({
      claim: null,
      fault: faultOf(err),
      ...(waitMs === undefined
        ? { state: "given_up" as const, ended_at: Date.now() }
        : { due_at: (await clock()) + waitMs }),
    })
    .where("id", "=", row.id)
    .where("claim", "=", row.claim)
    .where("state", "=", "waiting")
    .execute();
}

/** Rejects where it did not arrive, or that is unknown. */
async function deliver(row: AlertDeliveryRow): Promise<void> {
  const alert = { id: row.id, at: row.created_at, ...alertIn(row) };
  const send = async () => {
    if (row.channel === "webhook") return postAlert(alert, AbortSignal.timeout(attemptMs));
    // Imported late: recording an alert passes through this file, and needs no language's words.
    const { mailAlert } = await import("./mail-alert");
    return mailAlert(row.recipient, alert);
  };
  const sent = await withTimeout(attemptMs, send());
  if (!sent.inTime) throw new Error("it took too long");
}

function alertIn({ kind, data_json }: AlertDeliveryRow): { alert: Alert } {
  if (!isAlertKind(kind)) throw new Error("it is of a kind that this version does not know");
  return { alert: { kind, ...alertData[kind].parse(JSON.parse(data_json)) } as Alert };
}

/** A word for operators to search for; whole errors are in the log. */
function faultOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return (typeof code === "string" ? code : "failed").slice(0, 64);
}

/**
 * Deletes deliveries that ended long ago, and repairs due times that only a wrong clock can have set. Never deletes a
 * waiting one: it is sent or given up, also where nobody can send it any more, because its channel was taken out of the
 * configuration.
 */
export async function pruneDeliveries(now = Date.now()): Promise<void> {
  await db()
    .updateTable("alert_deliveries")
    .set({ due_at: now })
    .where("state", "=", "waiting")
    .where("due_at", ">", now + latestMs)
    .execute();
  const here = channelsHere();
  const { numUpdatedRows } = await db()
    .updateTable("alert_deliveries")
    .set({ state: "given_up", ended_at: now, claim: null, fault: "not_set_up" })
    .where("state", "=", "waiting")
    .where("created_at", "<", now - leftBehindMs)
    .$if(here.length > 0, (query) => query.where("channel", "not in", here))
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    log.error({ alerts: Number(numUpdatedRows) }, "alerts were given up: their way is not set up");
  for (const state of ["sent", "given_up"] as const)
    await db()
      .deleteFrom("alert_deliveries")
      .where("state", "=", state)
      .where("ended_at", "<", now - keepMs[state])
      .where(({ eb, or }) => or([eb("once_key", "is", null), eb("ended_at", "<", now - keepKeyMs)]))
      .execute();
}
