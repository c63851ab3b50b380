import "server-only";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { log } from "@/lib/platform/log/log";
import { newRequestId } from "@/lib/platform/log/request-note";
import { inFlight } from "@/lib/platform/runtime/in-flight";
import {
  planReadings,
  readInBackground,
  type PlannedReading,
} from "@/lib/webhooks/server/observe/reading";
import {
  allow,
  early,
  isOfService,
  newBudget,
  paceOf,
  type ServiceState,
} from "@/lib/watch/model/service";
import { recordReading } from "./record-reading";
import { runMaintenance, scheduleChanged } from "./maintenance";
import {
  dueConnections,
  postponeReading,
  readService,
  realClock,
  type WatchClock,
  type Watched,
} from "./schedules";

type Options = {
  clock?: WatchClock;
  random?: () => number;
};

/** How often maintenance runs, and changed credentials are detected, milliseconds. */
const maintenanceMs = 30_000;
const changedMs = 5_000;
/** Due connections fetched ahead, for each reading in flight: enough to go on while more are being fetched. */
const prefetchFactor = 3;
/** The delay before the next query for due connections: where there were some, and where there were none. */
const soonMs = 200;
const idleMs = 2_000;

/**
 * Reads the connections of one environment as they are due. It keeps no timer: the caller calls `step`, which says
 * when to call it again, or in tests `round`.
 */
export class Watcher {
  readonly name: string;
  readonly #watched: Watched;
  readonly #clock: WatchClock;
  readonly #random: () => number;
  readonly #queue: PlannedReading[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Connections that are in the queue, being read, or being recorded. */
  readonly #busy = new Set<string>();
  #budget = newBudget;
  /** When the last reading began, on the steady clock; null: none has. */
  #lastAt: number | null = null;
  #size = 1;
  #maintenanceAt = -Infinity;
  #changedAt = -Infinity;
  #mayGoOn = false;
  #wake: () => void = () => undefined;

  constructor(watched: Watched, { clock = realClock, random = Math.random }: Options = {}) {
    this.name = `readings of ${watched.environment}`;
    this.#watched = watched;
    this.#clock = clock;
    this.#random = random;
  }

  /** Does what is due now; resolves with the milliseconds until there may be more to do. */
  async step(): Promise<number> {
    const now = performance.now();
    if (now >= this.#changedAt) {
      await scheduleChanged(this.#watched, this.#clock);
      this.#changedAt = now + changedMs;
    }
    if (now >= this.#maintenanceAt) {
      this.#size = await runMaintenance(this.#watched, this.#clock, this.#random);
      this.#maintenanceAt = now + maintenanceMs;
    }
    const taken = await this.#take();
    this.#start();
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
    this.#size = await runMaintenance(this.#watched, this.#clock, this.#random);
    let read = 0;
    for (;;) {
      const taken = await this.#take();
      read += taken;
      this.#start();
      while (this.#running.size > 0) await Promise.race(this.#running);
      if (taken === 0) return read;
    }
  }

  /** Begins no more, and waits for the readings in flight. */
  async end(): Promise<void> {
    this.#drop();
    await Promise.all(this.#running);
  }

  async #take(): Promise<number> {
    const { environment, plan } = this.#watched;
    const want = plan.concurrency * (1 + prefetchFactor) - this.#running.size - this.#queue.length;
    const now = await this.#clock.steady();
    const service = await readService(this.#watched);
    const pace = paceOf(plan, this.#size);
    const { count, budget } = allow(service, this.#budget, { now, want, pace });
    const isProbe = service.downSince !== null;
    const due = await dueConnections(environment, { now, count, isProbe, busy: this.#busy });
    const ids = due.length > 0 ? due : await this.#early(service, now);
    if (ids.length > 0) this.#lastAt = now;
    // No budget is spent where nothing was due.
    const unusedMs = isProbe ? 0 : Math.max(0, count - ids.length) * (1_000 / pace.rate);
    this.#budget = { ...budget, spentUntil: budget.spentUntil - unusedMs };
    const plans = await planReadings(environment, ids);
    for (const id of ids) {
      const planned = plans.get(id);
      // null: the connection was removed.
      if (!planned) continue;
      this.#busy.add(id);
      this.#queue.push(planned);
    }
    this.#mayGoOn = due.length > 0 && due.length === want;
    return plans.size;
  }

  /** Where nothing is due or being read. */
  async #early(service: ServiceState, now: number): Promise<string[]> {
    const { environment, plan } = this.#watched;
    this.#lastAt ??= now;
    if (this.#busy.size > 0) return [];
    const about = { now, lastAt: this.#lastAt, size: this.#size, quietMs: plan.quietMs };
    const count = early(service, about);
    return dueConnections(environment, {
      now,
      count,
      isProbe: true,
      isEarly: true,
      busy: this.#busy,
    });
  }

  #drop(): void {
    for (const { stored } of this.#queue.splice(0)) this.#busy.delete(stored.id);
  }

  #start(): void {
    while (this.#running.size < this.#watched.plan.concurrency) {
      const next = this.#queue.shift();
      if (!next) return;
      const work: Promise<void> = inFlight(this.#readOne(next)).finally(() => {
        this.#running.delete(work);
        this.#busy.delete(next.stored.id);
        this.#start();
        // Where the budget or the due connections are used up, the time that `step` returned is soon enough.
        if (this.#mayGoOn && this.#queue.length === 0) this.#wake();
      });
      this.#running.add(work);
    }
  }

  /** Does not throw. After a fault of Gancho's own, the connection is read a period later. */
  async #readOne(planned: PlannedReading): Promise<void> {
    const connectionId = planned.stored.id;
    try {
      const reading = await readInBackground(planned, { requestId: newRequestId() });
      const { fault } = reading;
      // It decides, once it is recorded, whether any other may be read.
      if (fault && (fault.code === "upstream_rate_limited" || isOfService(fault.code)))
        this.#drop();
      await recordReading(reading, this.#clock);
    } catch (err) {
      if (isDatabaseUnavailable(err)) {
        log.warn({ err, connectionId }, "a reading could not be recorded; it is still due");
        return;
      }
      log.error({ err, connectionId }, "a connection could not be read in the background");
      const now = await this.#clock.steady().catch(() => 0);
      await postponeReading(connectionId, now + this.#watched.plan.everyMs).catch(() => undefined);
    }
  }
}
