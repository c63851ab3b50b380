import "server-only";
import { connectionOf } from "@/lib/partners/server/connection";
import { requireEnvironment } from "@/lib/platform/access/require";
import { holdLease, releaseWith, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { steadyNow } from "@/lib/platform/database/steady-clock";
import { isFollowed, type Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { newRequestId } from "@/lib/platform/log/request-note";
import { isStopping } from "@/lib/platform/runtime/in-flight";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { ExpressionBuilder } from "kysely";
import { lockWithin } from "./connection-lock";
import { lastsMs, windowMs } from "./look";
import type { ObservedTypes } from "./observed";
import { readNow } from "./reading";
import type { ConnectionRef } from "./remote-state";
import { mayApply, stateOf } from "./said";
import { followedSaves, inMs, rowOf, type SaveRecord } from "./save-record";
import { closeSaves, explaining, isDoubtful, noteSent, recordAnswer, withAnswers } from "./saves";

/** The rounds of the reader: it looks again for saves, and ends those that their process left behind. */

/** Connections read in one round, and at once. */
const maxInRound = 100;
const concurrency = 8;
/** A save that is being worked on is checked again after this, milliseconds. */
const busyMs = 2_000;
/** The longest delay between two readings of a service that does not answer, milliseconds. */
const maxDelayMs = 3_600_000;

/** Also due: one scheduled too far ahead, from before the machine, and its steady clock, restarted. */
function isDue(eb: ExpressionBuilder<Database, "changes">) {
  const isPast = eb("next_check_at", "<=", steadyNow());
  return eb.or([isPast, eb("next_check_at", ">", inMs(maxDelayMs))]);
}

/** One round: reads the connections with a due save, the longest due first. */
export async function followDue(
  isElected: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  const due = await db()
    .selectFrom("changes")
    .select("connection_id")
    .where(isFollowed)
    .where(isDue)
    .groupBy("connection_id")
    .orderBy((eb) => eb.fn.min("next_check_at"))
    .limit(maxInRound)
    .execute();
  const connections = due.flatMap(({ connection_id }) => connection_id ?? []);
  const lane = async () => {
    while (!isStopping() && (await isElected())) {
      const id = connections.shift();
      if (id === undefined) return;
      await followConnection(id).catch((err: unknown) =>
        log.error({ err, connectionId: id }, "a save could not be looked for"),
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

async function followConnection(connectionId: string): Promise<void> {
  await deferDue(connectionId);
  const connectionRef = await refOf(connectionId);
  if (!(await settleLeftBehind(connectionId, connectionRef))) return;
  const all = await followedSaves({ id: connectionId });
  const ours = connectionRef ? await followedSaves(connectionRef.connection) : [];
  const elsewhere = all.filter(({ id }) => !ours.some((save) => save.id === id));
  // Until their time is over, an instance that is still configured with the old address may read there.
  const over = elsewhere.filter((save) => sinceSentMs(save) >= windowMs);
  if (over.length > 0)
    await db()
      .transaction()
      .execute((trx) => closeSaves(trx, connectionId, over));
  await schedule(elsewhere, null);
  if (!connectionRef || ours.length === 0) return;
  const types = await look(connectionRef);
  await schedule(await followedSaves(connectionRef.connection), types);
}

function sinceSentMs({ sentAt, now }: SaveRecord): number {
  return sentAt === null ? 0 : now - sentAt;
}

/** What is observed now; null where the service could not be read. */
async function look(connectionRef: ConnectionRef): Promise<ObservedTypes | null> {
  try {
    const { last, fault } = await readNow(connectionRef, { requestId: newRequestId() });
    return fault ? null : (last?.types ?? null);
  } catch (err) {
    const { id: connectionId } = connectionRef.connection;
    log.warn({ err, connectionId }, "a save could not be looked for");
    return null;
  }
}

async function refOf(connectionId: string): Promise<ConnectionRef | null> {
  const row = await db()
    .selectFrom("connections")
    .select(["partner_id", "environment"])
    .where("id", "=", connectionId)
    .executeTakeFirst();
  if (!row || !env().environments.has(row.environment)) return null;
  const environment = requireEnvironment(row.environment);
  const connection = await connectionOf(row.partner_id, environment);
  return connection && { partnerId: row.partner_id, environment: environment.name, connection };
}

/**
 * Records that no answer is known of saves whose process died, or stalled until it lost the lock. False while a save is
 * in progress. `held`: the caller has the lock, and has begun none.
 */
export async function settleLeftBehind(
  connectionId: string,
  connectionRef: ConnectionRef | null,
  held: Lease | null = null,
): Promise<boolean> {
  const isInProgress = ({ state }: SaveRecord) => state !== "answered";
  if (!(await followedSaves({ id: connectionId })).some(isInProgress)) return true;
  return db()
    .transaction()
    .execute(async (trx) => {
      if (held) await holdLease(trx, held);
      const lease = held ?? (await lockWithin(trx, connectionId));
      if (!lease) return false;
      for (const save of (await followedSaves({ id: connectionId }, trx)).filter(isInProgress)) {
        const answered = withAnswers(save, null);
        if (connectionRef) await noteSent(trx, connectionRef, answered.types.filter(mayApply));
        await recordAnswer(trx, answered);
      }
      if (!held) await releaseWith(trx, lease);
      return true;
    });
}

/**
 * Schedules the next look for each save. One that is shown waits until its time is over. Then two looks end it; where
 * the service does not answer, it is read less often the longer that takes. What may come from a lagging replica is
 * looked at again once it has lasted. `types`: what is observed now; null where the service could not be read.
 */
async function schedule(saves: readonly SaveRecord[], types: ObservedTypes | null): Promise<void> {
  for (const save of saves) {
    const sinceMs = sinceSentMs(save);
    const sent = explaining(save);
    const isShown = sent.every((each) => stateOf(each) === "saved");
    const next = isShown ? windowMs : saveTimings.followAtMs.find((ms) => ms > sinceMs);
    const isAwaited = types !== null && sent.some(({ type }) => isDoubtful(types[type]));
    const untilNextMs = sinceMs < windowMs ? (next ?? windowMs) - sinceMs : lastsMs;
    const untilMs =
      types === null && sinceMs >= windowMs
        ? Math.min(sinceMs, maxDelayMs)
        : isAwaited
          ? Math.min(lastsMs, untilNextMs)
          : untilNextMs;
    await db()
      .updateTable("changes")
      .set({ next_check_at: inMs(Math.max(busyMs, untilMs)) })
      .where(rowOf(save))
      .where(isFollowed)
      .execute();
  }
}

async function deferDue(connectionId: string): Promise<void> {
  await db()
    .updateTable("changes")
    .set({ next_check_at: inMs(busyMs) })
    .where("connection_id", "=", connectionId)
    .where(isFollowed)
    .where(isDue)
    .execute();
}
