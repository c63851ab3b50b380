import { db } from "@/lib/platform/database/open";
import { rowOf } from "@/lib/platform/database/testing/rows";
import { env } from "@/lib/platform/env/env";
import { startFaultyWorld, type TestPartner } from "@/lib/webhooks/testing/world";
import type { WatchClock } from "@/lib/watch/server/schedules";
import { onReading } from "@/lib/webhooks/server/observe/reading";
import { Watcher } from "@/lib/watch/server/watcher";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { vi } from "vitest";

/** Both clocks of the watch, which a test advances; the time of day is the whole process's. */
class TestClock implements WatchClock {
  /** Differs from the time of day, as a real steady clock does. */
  #steady = 5_000_000;
  constructor() {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T12:00:00Z") });
  }
  steady = async () => this.#steady;
  wall = databaseTime;
  advance(ms: number): void {
    this.#steady += ms;
    vi.setSystemTime(Date.now() + ms);
  }
}

export const minute = 60_000;
export const everyMs = 15 * minute;

export type WatchWorld = Awaited<ReturnType<typeof startWatchWorld>>;

/** A world of `startWorld` with the watch of its environment. */
export async function startWatchWorld() {
  const { world, upstream } = await startFaultyWorld();
  countReadings();
  const clock = new TestClock();
  const baseUrl = env().environments.get("sandbox") ?? "";
  const plan = { everyMs, requestsPerSecond: 1_000, concurrency: 8, quietMs: Infinity };
  const watched = { environment: "sandbox", baseUrl, plan };
  return {
    world,
    upstream,
    clock,
    watched,
    /** What the reader does of the environment; `quietMs`: left out, nothing is read before it is due. */
    watcher: (quietMs = Infinity) =>
      new Watcher({ ...watched, plan: { ...plan, quietMs } }, { clock }),
    /** Advances the time in steps; in each, all that is due is done. */
    pass: async (ms: number, watcher: Watcher, partMs = 5_000) => {
      for (let passed = 0; passed < ms; passed += partMs) {
        clock.advance(partMs);
        await watcher.round();
      }
    },
    /** Makes every reading due now, and again a period from now. */
    makeDue: async () => {
      const due_at = await clock.steady();
      await db().updateTable("reading_schedule").set({ due_at }).execute();
    },
    /** List calls since the plan was set that the service answered, not counting refused tokens. */
    lists: () =>
      upstream.received().filter(({ kind, applied }) => kind === "list" && applied !== 401).length,
    /** Deletes all connections and readings, for the next test. */
    forget: async () => {
      upstream.setPlan({ rules: [] });
      await db().deleteFrom("watch_services").execute();
      await db().deleteFrom("watch_hours").execute();
      await db().deleteFrom("changes").execute();
      await db().deleteFrom("confirmed_configurations").execute();
      await db().deleteFrom("observed_types").execute();
      await db().deleteFrom("connection_checks").execute();
      await db().deleteFrom("connections").execute();
    },
  };
}

const counted = new Map<string, number>();

/** Counts the readings of this process from now on, for `readingsOf`. */
function countReadings(): void {
  onReading(({ connectionRef: { connection }, fault }) => {
    if (fault?.code === "upstream_rate_limited") return;
    counted.set(connection.id, (counted.get(connection.id) ?? 0) + 1);
  });
}

/** How many readings of each of these connections there were, without requests to slow down. */
export const readingsOf = (partners: readonly TestPartner[]) =>
  partners.map(({ connectionId }) => counted.get(connectionId) ?? 0);

export const turnOfPartner = ({ connectionId }: TestPartner) =>
  rowOf("reading_schedule", { connection_id: connectionId });
