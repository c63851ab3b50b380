import "server-only";
import { type AlertQueue, type Alert, alertData, isAlertKind } from "@/lib/alerts/model/alert";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { type Executor, db } from "@/lib/platform/database/open";
import { outboundDispatcher } from "@/lib/platform/egress/outbound";
import { env } from "@/lib/platform/env/env";
import { Webhook } from "standardwebhooks";
import { request } from "undici";
import type { AlertDeliveryRow } from "@/lib/platform/database/tables";
import { log } from "@/lib/platform/log/log";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { withTimeout } from "@/lib/platform/runtime/deadline";
import { isStopping } from "@/lib/platform/runtime/in-flight";
import { toAddress } from "./enqueue";
import { pageOf, partnerName, type Delivery } from "./delivery";
import { mailAlert } from "./mail-alert";

/** The state of the outbox, for operators. */
export async function readAlertQueue(executor: Executor): Promise<AlertQueue> {
  const count = (state: "waiting" | "given_up") =>
    executor
      .selectFrom("alert_deliveries")
      .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("created_at").as("oldest")])
      .where("state", "=", state)
      .executeTakeFirstOrThrow();
  const [waiting, givenUp] = [await count("waiting"), await count("given_up")];
  return {
    waiting: waiting.count,
    waitingSince: waiting.oldest === null ? null : new Date(waiting.oldest).toISOString(),
    givenUp: givenUp.count,
  };
}

/**
 * Posts it to the operators' webhook, signed as the Standard Webhooks specification says. Rejects where the receiver
 * does not answer 2xx: follows no redirect. Does not read the answer's body.
 */
async function postAlert(delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { alertsWebhook } = env();
  if (!alertsWebhook) throw new Error("ALERTS_URL is not set any more");
  const body = JSON.stringify(await payloadOf(delivery));
  const sentAt = new Date();
  const signer = new Webhook(alertsWebhook.secret.reveal());
  const answer = await request(alertsWebhook.url.reveal(), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "Gancho",
      "webhook-id": delivery.id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": signer.sign(delivery.id, sentAt, body),
    },
    body,
    signal,
    dispatcher: processWide("alerts-dispatcher", outboundDispatcher),
    headersTimeout: 10_000,
    bodyTimeout: 5_000,
  }).catch((error: unknown) => {
    throw new DeliveryFailed("cannot be reached", codeOf(error));
  });
  answer.body.on("error", () => undefined).destroy();
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new DeliveryFailed(`answers ${answer.statusCode}`, `HTTP_${answer.statusCode}`);
}

/** Without the library's error message, which may contain the secret address. */
class DeliveryFailed extends Error {
  override readonly name: string = "DeliveryFailed";
  readonly code: string;
  constructor(what: string, code: string) {
    super(`the receiver of alerts ${what}`);
    this.code = code;
  }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "failed";
}

/** With names for the ids, and timestamps as ISO 8601, UTC. */
async function payloadOf({ at, alert: { kind, ...data } }: Delivery) {
  const alert = { kind, ...data } as Delivery["alert"];
  const named = {
    ...("partnerId" in alert && { partnerName: await partnerName(alert.partnerId) }),
    ...("userId" in alert && { userName: await userName(alert.userId) }),
    ...("since" in alert && { since: new Date(alert.since).toISOString() }),
    ...("until" in alert && { until: new Date(alert.until).toISOString() }),
  };
  return {
    type: kind,
    timestamp: new Date(at).toISOString(),
    data: { ...data, ...named, link: new URL(pageOf(alert), env().url).href },
  };
}

async function userName(userId: string): Promise<string | null> {
  const user = db().selectFrom("users").select("name").where("id", "=", userId);
  return (await user.executeTakeFirst())?.name ?? null;
}

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
const maxUnconfiguredMs = 3 * 24 * hour;
/** How long sent and given-up deliveries are kept. */
const keepMs = { sent: 7 * 24 * hour, given_up: 90 * 24 * hour };
/** The same for a sent delivery with a key, which prevents a second alert: longer than anything raises the same key. */
const keepKeyMs = 30 * 24 * hour;

type Channel = AlertDeliveryRow["channel"];

/** `now`: milliseconds since 1970. */
type Clock = () => number;

/** The channels that are configured. */
export function alertChannels(): Channel[] {
  const { mail, alertsWebhook } = env();
  return [...(mail ? ["mail" as const] : []), ...(alertsWebhook ? ["webhook" as const] : [])];
}

/**
 * Sends all deliveries of a channel that are due, and those that become due meanwhile, in the process that is elected.
 */
export async function sendDue(
  channel: Channel,
  isElected: () => Promise<boolean>,
  clock: Clock = databaseTime,
): Promise<void> {
  const mayGoOn = async () => !isStopping() && (await isElected());
  for (let isMore = true; isMore && (await mayGoOn());) {
    const due = await db()
      .selectFrom("alert_deliveries")
      .selectAll()
      .where("state", "=", "waiting")
      .where("channel", "=", channel)
      .where("due_at", "<=", clock())
      .orderBy("due_at")
      .limit(batchSize)
      .execute();
    isMore = due.length > 0;
    const lane = async () => {
      while (await mayGoOn()) {
        const row = due.shift();
        if (!row) return;
        await attempt(row, clock);
      }
    };
    // Waits for all of them: while one still sends, another round would send the same.
    const lanes = Array.from({ length: concurrency }, lane);
    await Promise.allSettled(lanes);
    await Promise.all(lanes);
  }
}

async function attempt(row: AlertDeliveryRow, clock: Clock): Promise<void> {
  const fault = await deliver(row).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (row.recipient.startsWith(toAddress)) await noteAddress(row, fault !== null);
  const about = { deliveryId: row.id, kind: row.kind, channel: row.channel };
  const attempts = row.attempts + 1;
  const ended = { attempts, ended_at: databaseTime() };
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
          : { attempts, due_at: clock() + waitMs, fault: faultOf(fault.error) },
    )
    .where("id", "=", row.id)
    // A process that stalled and is no longer the sender must not overwrite what the next one stored.
    .where("attempts", "=", row.attempts)
    .where("state", "=", "waiting")
    .execute();
}

/** So that the partner's admins see that a mailbox takes no mail. */
async function noteAddress({ recipient }: AlertDeliveryRow, isFailing: boolean): Promise<void> {
  await db()
    .updateTable("alert_addresses")
    .set({ failing_since: isFailing ? databaseTime() : null })
    .where("id", "=", recipient.slice(toAddress.length))
    .where("failing_since", isFailing ? "is" : "is not", null)
    .execute();
}

/** Rejects unless it surely arrived. */
async function deliver(row: AlertDeliveryRow): Promise<void> {
  const alert = { id: row.id, at: row.created_at, alert: await withNames(alertIn(row)) };
  const send = async () => {
    if (row.channel === "webhook") return postAlert(alert, AbortSignal.timeout(attemptMs));
    return mailAlert(row.recipient, alert);
  };
  const sent = await withTimeout(attemptMs, send());
  if (!sent.inTime) throw new Error("it took too long");
}

function alertIn({ kind, data_json }: AlertDeliveryRow): Alert {
  if (!isAlertKind(kind)) throw new Error("it is of a kind that this version does not know");
  return { kind, ...alertData[kind].parse(JSON.parse(data_json)) } as Alert;
}

const ofPeople: ReadonlySet<string> = new Set(["by", "name", "proposedBy"]);

/** With today's names for the ids of people that the outbox stores. */
async function withNames(alert: Alert): Promise<Alert> {
  if (!("partnerId" in alert)) return alert;
  const mapPeople = (nameOf: (id: string) => string) =>
    JSON.parse(JSON.stringify(alert), (key, value: unknown) =>
      ofPeople.has(key) && typeof value === "string" ? nameOf(value) : value,
    ) as Alert;
  const ids: string[] = [];
  mapPeople((id) => {
    ids.push(id);
    return id;
  });
  return mapPeople(await distinctNames(db(), alert.partnerId, ids));
}

/** A short code for operators to search for; the log has the whole error. */
function faultOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return (typeof code === "string" ? code : "failed").slice(0, 64);
}

/**
 * Deletes deliveries that ended long ago, and repairs due times that only a wrong clock can have set. Never deletes a
 * waiting one: it is sent or given up, also where its channel was removed from the configuration.
 */
export async function pruneDeliveries(now = databaseTime()): Promise<void> {
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
    .where("created_at", "<", now - maxUnconfiguredMs)
    .$if(here.length > 0, (query) => query.where("channel", "not in", here))
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    log.error(
      { alerts: Number(numUpdatedRows) },
      "alerts were given up: their channel is not set up",
    );
  for (const state of ["sent", "given_up"] as const)
    await db()
      .deleteFrom("alert_deliveries")
      .where("state", "=", state)
      .where("ended_at", "<", now - keepMs[state])
      .where(({ eb, or }) => or([eb("once_key", "is", null), eb("ended_at", "<", now - keepKeyMs)]))
      .execute();
}
