import "server-only";
import { requireEnvironment } from "@/lib/platform/access/require";
import { releaseWith } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { isFollowed, type Database } from "@/lib/platform/database/tables";
import { steadyNow } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { newRequestId } from "@/lib/platform/log/request-note";
import { connectionOf } from "@/lib/partners/server/connection";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { isStopping } from "@/lib/platform/runtime/in-flight";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { ExpressionBuilder } from "kysely";
import { isLocked, lockWithin } from "./connection-lock";
import type { ConnectionRef } from "@/lib/webhooks/server/read/remote-state";
import { readOnce } from "@/lib/webhooks/server/read/read";
import { isSeen } from "@/lib/webhooks/server/read/reconcile";
import {
  closePendingSaves,
  followedSaves,
  followMs,
  inMs,
  rowOf,
  type SaveRecord,
} from "./save-record";

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
        log.error({ err, connectionId: id }, "an open save could not be followed"),
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

async function followConnection(connectionId: string): Promise<void> {
  await deferDue(connectionId);
  if (await isLocked(connectionId)) return;
  const connectionRef = await refOf(connectionId);
  const elsewhere = await savesElsewhere(connectionId, connectionRef);
  // Until their time is over, an instance that is still configured with the old address may read there.
  await closePending(elsewhere.filter((save) => isOver(save) || isLeftBehind(save)));
  await schedule(elsewhere);
  if (!connectionRef) return;
  const isFresh = await readNow(connectionRef);
  const left = await followedSaves(connectionRef.connection);
  if (!isFresh)
    await closePending(
      left.filter(({ results }) => results === null),
      { areFollowed: true },
    );
  await schedule(left, isFresh);
}

function isOver({ sinceSentMs }: Pick<SaveRecord, "sinceSentMs">): boolean {
  return sinceSentMs >= followMs();
}

/** It was never sent, and the process that recorded it is long gone. */
function isLeftBehind({ state, createdAt }: SaveRecord): boolean {
  return state === "recorded" && databaseTime() - createdAt > followMs() + 60_000;
}

/** Whether the service could be read. */
async function readNow(connectionRef: ConnectionRef): Promise<boolean> {
  try {
    return (await readOnce(connectionRef, { requestId: newRequestId() })).isFresh;
  } catch (err) {
    const { id: connectionId } = connectionRef.connection;
    log.warn({ err, connectionId }, "an open save could not be checked");
    return false;
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

/** Saves that went to another service, or as another client, where this connection can no longer read. */
async function savesElsewhere(
  connectionId: string,
  connectionRef: ConnectionRef | null,
): Promise<SaveRecord[]> {
  const all = await followedSaves({ id: connectionId });
  const ours = new Set(
    connectionRef ? (await followedSaves(connectionRef.connection)).map(({ id }) => id) : [],
  );
  return all.filter(({ id }) => !ours.has(id));
}

/** Does nothing while a save is in progress, whose process decides how it ends. */
async function closePending(
  saves: readonly SaveRecord[],
  options?: { areFollowed: boolean },
): Promise<void> {
  const [first] = saves;
  if (!first) return;
  const { connectionId } = first;
  await db()
    .transaction()
    .execute(async (trx) => {
      const lease = await lockWithin(trx, connectionId);
      if (!lease) return;
      const now = await followedSaves({ id: connectionId }, trx);
      const asBefore = now.filter((save) =>
        saves.some(({ id, state }) => id === save.id && state === save.state),
      );
      await closePendingSaves(trx, asBefore, options);
      await releaseWith(trx, lease);
    });
}

/**
 * Schedules the next reading for each remaining save. An ended one only waits for its time to be over. One whose time
 * is over waits for the service to answer again, and is read less often the longer that takes. A seen effect is
 * confirmed soon, and a save that a reading after its time did not end is read again soon.
 */
async function schedule(saves: readonly SaveRecord[], isFresh = false): Promise<void> {
  for (const save of saves) {
    const { state, sinceSentMs, results } = save;
    const next =
      state === "ended" ? followMs() : saveTimings.followAtMs.find((ms) => ms > sinceSentMs);
    const untilNextMs = (next ?? followMs()) - sinceSentMs;
    const untilReadMs = isOver({ sinceSentMs }) ? Math.min(sinceSentMs, maxDelayMs) : untilNextMs;
    const needsLook = isFresh && (isOver(save) || results?.some(isSeen));
    const untilLookMs = needsLook ? saveTimings.confirmMs : untilReadMs;
    await db()
      .updateTable("changes")
      .set({ next_check_at: inMs(Math.max(busyMs, untilLookMs)) })
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
