import "server-only";
import { alertData, isAlertKind, type Alert } from "@/lib/alerts/model/alert";
import { db, isPostgres } from "@/lib/platform/database/open";
import type { AlertDeliveryRow } from "@/lib/platform/database/tables";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { withTimeout } from "@/lib/platform/runtime/deadline";
import { isStopping } from "@/lib/platform/runtime/in-flight";
import { mailAlert } from "./mail-alert";
import { postAlert } from "./post-alert";

/** Deliveries of one channel in flight at once. */
const concurrency = 4;
/** Due deliveries of one query. */
const batchSize = 100;
/** No attempt takes longer. Less than the grace period of a stopping process (lib/cli/stop.ts). */
const attemptMs = 15_000;

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
/** How long a delivery waits for a reader that has its channel configured. */
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

/** The channels that are configured. */
export function alertChannels(): Channel[] {
  const { mail, alertsWebhook } = env();
  return [...(mail ? ["mail" as const] : []), ...(alertsWebhook ? ["webhook" as const] : [])];
}

/** Sends all deliveries of a channel that are due, and those that become due meanwhile. One process at a time does. */
export async function sendDue(channel: Channel, clock: Clock = sharedNow): Promise<void> {
  for (let isMore = true; isMore && !isStopping();) {
    const due = await db()
      .selectFrom("alert_deliveries")
      .selectAll()
      .where("state", "=", "waiting")
      .where("channel", "=", channel)
      .where("due_at", "<=", await clock())
      .orderBy("due_at")
      .limit(batchSize)
      .execute();
    isMore = due.length > 0;
    const lane = async () => {
      for (let row = due.shift(); row && !isStopping(); row = due.shift())
        await attempt(row, clock);
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
  }
}

/** By one clock for all who share a database: the server's own, or that of the one machine that has the file open. */
async function sharedNow(): Promise<number> {
  return isPostgres(env().databaseUrl.reveal()) ? readSteadyClock() : Date.now();
}

async function attempt(row: AlertDeliveryRow, clock: Clock): Promise<void> {
  const fault = await deliver(row).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const about = { deliveryId: row.id, kind: row.kind, channel: row.channel };
  const attempts = row.attempts + 1;
  const ended = { attempts, ended_at: Date.now() };
  const waitMs = retryAfterMs[row.attempts];
  if (fault && waitMs === undefined)
    log.error({ ...about, err: fault.error }, "an alert was given up");
  else if (fault)
    log.warn(
      { ...about, err: fault.error, attempt: attempts },
      "an alert could not be delivered yet",
    );
  await db()
    .updateTable("alert_deliveries")
    .set(
      !fault
        ? { ...ended, state: "sent", fault: null }
        : waitMs === undefined
          ? { ...ended, state: "given_up", fault: faultOf(fault.error) }
          : { attempts, due_at: (await clock()) + waitMs, fault: faultOf(fault.error) },
    )
    .where("id", "=", row.id)
    // A process that stood still and is the sender no longer changes nothing that the next one has noted.
    .where("attempts", "=", row.attempts)
    .where("state", "=", "waiting")
    .execute();
}

/** Rejects where it did not arrive, or that is unknown. */
async function deliver(row: AlertDeliveryRow): Promise<void> {
  const alert = { id: row.id, at: row.created_at, ...alertIn(row) };
  const send = async () => {
    if (row.channel === "webhook") return postAlert(alert, AbortSignal.timeout(attemptMs));
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
  const here = alertChannels();
  const { numUpdatedRows } = await db()
    .updateTable("alert_deliveries")
    .set({ state: "given_up", ended_at: now, fault: "not_set_up" })
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
