import "server-only";
import { requireEnvironment } from "@/lib/platform/access/require";
import { renewLease, takeLease, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { steadyNow } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { connectionOf } from "@/lib/partners/server/connection";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { newRequestId } from "@/lib/platform/log/request-id";
import { isStopping, inFlight } from "@/lib/platform/runtime/in-flight";
import { sql } from "kysely";
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { lockConnection } from "./connection-lock";
import type { Place } from "@/lib/webhooks/server/read/remote-state";
import { readOnce } from "@/lib/webhooks/server/read/read";
import {
  closePendingSaves,
  followedSaves,
  followMs,
  longestOpenMs,
  type SaveRecord,
} from "./save-record";

/** Milliseconds between two queries for saves that are due. */
const roundMs = 1_000;
/**
 * One process follows at a time, of all those that find the environments at the same addresses; another one takes over
 * this long after it died.
 */
const leaseMs = 15_000;
/** Connections looked at in one round, and at once. */
const mostInRound = 100;
const atOnce = 8;
/** A save that is just being worked on is come back to after this, milliseconds. */
const busyMs = 2_000;

/** Follows open saves in this process until it stops; once, however often it is called. */
export function followSaves(): void {
  processWide("follower", () => {
    void follow();
    return true;
  });
}

async function follow(): Promise<void> {
  let lease: Lease | null = null;
  while (!isStopping()) {
    await pause(lease ? roundMs : leaseMs / 3, undefined, { ref: false });
    try {
      if (lease && !(await renewLease(lease, leaseMs))) lease = null;
      lease ??= await takeLease(followerName(), { leaseMs, waitMs: 0 });
      if (lease) await inFlight(followDue());
    } catch (err) {
      // The database may be away for a while. What is due stays due.
      log.warn({ err }, "open saves could not be followed");
    }
  }
  await lease?.release().catch(() => undefined);
}

/** While a base address is being changed, copies with the old and the new one run beside each other. */
function followerName(): string {
  const places = JSON.stringify([...env().environments].sort());
  return `follow-saves:${createHash("sha256").update(places).digest("hex").slice(0, 32)}`;
}

/** One round: reads every connection with a save that is due. */
export async function followDue(): Promise<void> {
  const due = await db()
    .selectFrom("saves")
    .select("connection_id")
    .distinct()
    .where("state", "!=", sql.lit("closed"))
    .where("next_look_at", "<=", steadyNow())
    .limit(mostInRound)
    .execute();
  const connections = due.map(({ connection_id }) => connection_id);
  const lane = async () => {
    for (let id = connections.shift(); id !== undefined; id = connections.shift())
      await followConnection(id).catch((err: unknown) =>
        log.error({ err, connectionId: id }, "an open save could not be followed"),
      );
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

async function followConnection(connectionId: string): Promise<void> {
  await lookNextIn(connectionId, busyMs);
  const lease = await lockConnection(connectionId, 0);
  if (!lease) return;
  try {
    const place = await placeOfConnection(connectionId);
    const elsewhere = await withoutPlace(connectionId, place);
    // A copy that still finds the service where they went may look there until their time is over.
    await closePending(elsewhere.filter((save) => isOver(save) || isLeftBehind(save)));
    await schedule(elsewhere);
    if (!place) return;
    const isFresh = await readHolding(place, lease);
    const left = await followedSaves(place.connection);
    await closePending(isFresh ? [] : left.filter((save) => !mayStillBeSeen(save)));
    await schedule(left);
  } finally {
    await lease.release();
  }
}

/**
 * The service could not be asked when its time was over. Where connections are read in the background it stays open for
 * that: closed now, what it did would be called a change from outside as soon as the service answers.
 */
function mayStillBeSeen(save: SaveRecord): boolean {
  if (save.state === "recorded") return false;
  if (!isOver(save)) return true;
  const isWatched = env().watch.has(save.environment);
  return isWatched && save.state !== "ended" && save.sinceSentMs < longestOpenMs;
}

function isOver({ sinceSentMs }: SaveRecord): boolean {
  return sinceSentMs >= followMs();
}

/** Nothing of it was sent, and whoever recorded it is long gone. */
function isLeftBehind({ state, createdAt }: SaveRecord): boolean {
  return state === "recorded" && Date.now() - createdAt > followMs() + 60_000;
}

/** Whether the service could be asked. */
async function readHolding(place: Place, lease: Lease): Promise<boolean> {
  try {
    return (await readOnce(place, { requestId: newRequestId() }, { lease })).isFresh;
  } catch (err) {
    log.warn({ err, connectionId: place.connection.id }, "a save could not be looked after");
    return false;
  }
}

async function placeOfConnection(connectionId: string): Promise<Place | null> {
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

/** Saves that went somewhere else than this connection now leads to: nobody can read there any more. */
async function withoutPlace(connectionId: string, place: Place | null): Promise<SaveRecord[]> {
  const all = await followedSaves({ id: connectionId });
  const ours = new Set(place ? (await followedSaves(place.connection)).map(({ id }) => id) : []);
  return all.filter(({ id }) => !ours.has(id));
}

async function closePending(saves: readonly SaveRecord[]): Promise<void> {
  if (saves.length === 0) return;
  await db()
    .transaction()
    .execute((trx) => closePendingSaves(trx, saves));
}

/** When the next reading is due, for each save that is left. One that was overtaken only waits for its time to be over. */
async function schedule(saves: readonly SaveRecord[]): Promise<void> {
  const times = env().followSavesAt.map((seconds) => seconds * 1_000);
  for (const { id, state, sinceSentMs } of saves) {
    const next = state === "ended" ? followMs() : times.find((ms) => ms > sinceSentMs);
    const last = sinceSentMs < followMs() ? followMs() : longestOpenMs;
    const inMs = Math.max(busyMs, (next ?? last) - sinceSentMs);
    await db()
      .updateTable("saves")
      .set({ next_look_at: sql<number>`${steadyNow()} + cast(${Math.round(inMs)} as integer)` })
      .where("id", "=", id)
      .where("state", "!=", "closed")
      .execute();
  }
}

async function lookNextIn(connectionId: string, ms: number): Promise<void> {
  await db()
    .updateTable("saves")
    .set({ next_look_at: sql<number>`${steadyNow()} + cast(${ms} as integer)` })
    .where("connection_id", "=", connectionId)
    .where("state", "!=", "closed")
    .where("next_look_at", "<=", steadyNow())
    .execute();
}
