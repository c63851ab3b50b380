import "server-only";
import { log } from "@/lib/platform/log/log";
import { newRequestId } from "@/lib/platform/log/request-note";
import { inFlight } from "@/lib/platform/runtime/in-flight";
import {
  planReadings,
  readInBackground,
  type PlannedReading,
} from "@/lib/webhooks/server/read/read";
import { isOfService } from "@/lib/watch/model/service";
import { addReading, flushReadings } from "./reading-log";
import { scheduleChanged, beat, beatMs, doChores, unregisterWorker } from "./chores";
import {
  claimTurns,
  releaseTurns,
  leaseMs,
  putOffTurn,
  realClock,
  type WatchClock,
  type Watched,
} from "./turns";
import { randomUUID } from "node:crypto";

type Options = {
  clock?: WatchClock;
  random?: () => number;
  /** Its name for the other workers. */
  worker?: string;
};

/** How often a worker does its chores, milliseconds. */
const choreMs = 30_000;
/** Turns taken ahead, for each reading in flight: enough to go on while more are being taken. */
const ahead = 3;
/** The delay before the next query for turns: where there were some, and where there were none. */
const soonMs = 200;
const idleMs = 2_000;

type Taken = { connectionId: string; plan: PlannedReading; takenAt: number };

/**
 * Reads the connections of one environment as their turns come. It keeps no timer: the caller calls `step`, which says
 * when to call it again, or in tests `round`.
 */
export class Watcher {
  readonly #watched: Watched;
  readonly #clock: WatchClock;
  readonly #random: () => number;
  readonly #worker: string;
  readonly #queue: Taken[] = [];
  readonly #running = new Set<Promise<void>>();
  #size = 1;
  #workers = 1;
  #choresAt = -Infinity;
  #beatAt = -Infinity;
  #mayGoOn = false;
  #wake: () => void = () => undefined;

  constructor(watched: Watched, { clock = realClock, random = Math.random, worker }: Options = {}) {
    this.#watched = watched;
    this.#clock = clock;
    this.#random = random;
    this.#worker = worker ?? randomUUID();
  }

  /** Does what is due now; resolves with the milliseconds until there may be more to do. */
  async step(): Promise<number> {
    const now = performance.now();
    if (now >= this.#beatAt) {
      this.#workers = await beat(this.#worker, this.#clock);
      await scheduleChanged(this.#watched, this.#clock);
      this.#beatAt = now + beatMs;
    }
    if (now >= this.#choresAt) {
      this.#size = await doChores(this.#watched, this.#clock, this.#random);
      this.#choresAt = now + choreMs;
    }
    const taken = await this.#take();
    this.#start();
    await flushReadings(this.#clock);
    if (this.#mayGoOn && this.#queue.length === 0) return 0;
    return taken > 0 || this.#running.size > 0 ? soonMs : idleMs;
  }

  /** Resolves when it is worth calling `step` again before its time. */
  awake(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** Reads all that is due now and within the budget. Returns how many were read. */
  async round(): Promise<number> {
    await scheduleChanged(this.#watched, this.#clock);
    this.#size = await doChores(this.#watched, this.#clock, this.#random);
    let read = 0;
    for (;;) {
      const taken = await this.#take();
      read += taken;
      this.#start();
      while (this.#running.size > 0) await Promise.race(this.#running);
      await flushReadings(this.#clock);
      if (taken === 0) return read;
    }
  }

  /** Takes no more, releases its turns, and waits for the readings in flight. */
  async end(): Promise<void> {
    await this.#releaseQueue();
    await Promise.all(this.#running);
    await flushReadings(this.#clock);
    await unregisterWorker(this.#worker);
  }

  /** Connections that this worker may read at once: its share of the limit for all of them. */
  get #lanes(): number {
    return Math.max(1, Math.floor(this.#watched.plan.concurrency / this.#workers));
  }

  async #take(): Promise<number> {
    const want = this.#lanes * (1 + ahead) - this.#running.size - this.#queue.length;
    // The leases began after this.
    const takenAt = performance.now();
    const { claims, mayGoOn } = await claimTurns(this.#watched, {
      worker: this.#worker,
      clock: this.#clock,
      want,
      size: this.#size,
    });
    const plans = await planReadings(this.#watched.environment, claims);
    for (const connectionId of claims) {
      const plan = plans.get(connectionId);
      // Without one, the connection is gone.
      if (plan) this.#queue.push({ connectionId, plan, takenAt });
    }
    this.#mayGoOn = mayGoOn;
    return plans.size;
  }

  async #releaseQueue(): Promise<void> {
    const waiting = this.#queue.splice(0).map(({ connectionId }) => connectionId);
    await releaseTurns(this.#worker, waiting);
  }

  #start(): void {
    while (this.#running.size < this.#lanes) {
      const next = this.#queue.shift();
      if (!next) return;
      const work: Promise<void> = inFlight(this.#read(next)).finally(() => {
        this.#running.delete(work);
        this.#start();
        // Where the budget or the due turns were used up, the time that `step` returned is soon enough.
        if (this.#mayGoOn && this.#queue.length === 0) this.#wake();
      });
      this.#running.add(work);
    }
  }

  /** Does not throw. A connection that could not be read because of a fault of ours has its turn a period later. */
  async #read({ connectionId, plan, takenAt }: Taken): Promise<void> {
    try {
      // This process stood still, or the service is slow: the lease would expire before the reading ends.
      if (performance.now() - takenAt > leaseMs / 2) {
        await releaseTurns(this.#worker, [connectionId]);
        return;
      }
      const reading = await readInBackground(plan, { requestId: newRequestId() });
      addReading({ ...reading, worker: this.#worker });
      const { fault } = reading;
      // Before the next one is read it has to be known whether any may be.
      if (fault && (fault.code === "upstream_rate_limited" || isOfService(fault.code))) {
        await this.#releaseQueue();
        await flushReadings(this.#clock);
      }
    } catch (err) {
      log.error({ err, connectionId }, "a connection could not be read in the background");
      const dueAt = (await this.#clock.steady().catch(() => 0)) + this.#watched.plan.everyMs;
      // Where the database is away, its lease will expire.
      await putOffTurn(this.#worker, connectionId, dueAt).catch(() => undefined);
    }
  }
}
