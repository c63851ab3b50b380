import "server-only";
import { alertChannels, pruneDeliveries, sendDue } from "@/lib/alerts/server/send";
import { checkDue } from "@/lib/endpoint-check/server/daily";
import { renewLease, takeLease, type Lease } from "@/lib/platform/database/lease";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { inFlight, isStopping, pauseUnlessStopping } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { readerTimings } from "@/lib/platform/runtime/timings";
import { clearAway } from "@/lib/retention/server/housekeeping";
import { followDue } from "@/lib/webhooks/server/observe/follow";
import { serviceFigures } from "./figures";
import { recordPeoplesReadings } from "./record-reading";
import { readerLease, watchedEnvironment } from "./schedules";
import { Watcher } from "./watcher";

/**
 * The reader: all background work. One process at a time does it for all instances. It reads connections as they are
 * due, follows open saves, checks endpoints, sends alerts, and deletes what is older than its retention.
 */
export type Task = {
  /** For the log. */
  name: string;
  /**
   * Does what is due now, while this process is elected. Resolves with the milliseconds until there may be more to do.
   */
  step: (isElected: () => Promise<boolean>) => Promise<number>;
  /** Resolves when it is worth calling `step` again before its time. */
  awake?: () => Promise<void>;
  /** Waits for what it began. */
  end?: () => Promise<void>;
};

const { roundMs, leaseMs } = readerTimings;
const checkRoundMs = 15_000;
const hourMs = 60 * 60_000;
/** The delay after a failure, of the database for example, milliseconds. */
const afterFailureMs = 5_000;

const every = (ms: number, name: string, work: (isElected: () => Promise<boolean>) => unknown) => ({
  name,
  step: async (isElected: () => Promise<boolean>) => {
    await work(isElected);
    return ms;
  },
});

function tasks(): Task[] {
  const watched = [...env().environments.keys()].map(watchedEnvironment);
  return [
    ...watched.flatMap((found) => (found ? [new Watcher(found)] : [])),
    every(roundMs, "open saves", followDue),
    ...(env().endpointChecks === "daily"
      ? [every(checkRoundMs, "daily endpoint checks", checkEndpoints)]
      : []),
    // Separate tasks, so that a mail server that hangs delays no webhook.
    ...alertChannels().map((channel) =>
      every(roundMs, `alerts by ${channel}`, (isElected) => sendDue(channel, isElected)),
    ),
    every(hourMs, "alerts that are over", () => pruneDeliveries()),
    every(hourMs, "what is older than is kept", clearAway),
  ];
}

/** Leaves a payment service in peace that is down, or that asked for a pause. */
async function checkEndpoints(isElected: () => Promise<boolean>): Promise<void> {
  const environments: string[] = [];
  for (const [environment, baseUrl] of env().environments) {
    const { serviceDownSince, isPaused } = await serviceFigures({ environment, baseUrl });
    if (serviceDownSince === null && !isPaused) environments.push(environment);
  }
  await checkDue({ isElected, environments });
}

/**
 * Also records people's readings in this process. Resolves when it has stopped. Starts once, however often it is
 * called.
 */
export function startReader(): Promise<void> {
  return processWide("reader", async () => {
    recordPeoplesReadings();
    const election = new Election();
    await Promise.all(tasks().map((task) => runTask(task, election)));
    await election.end();
  });
}

async function runTask(task: Task, election: Election): Promise<void> {
  const isElected = () => election.isWon();
  while (!isStopping()) {
    let waitMs = leaseMs / 3;
    try {
      if (await isElected()) waitMs = await inFlight(task.step(isElected));
    } catch (err) {
      // The database may be away for a while. What is due stays due.
      log.warn({ err, task: task.name }, "a task of the reader failed");
      waitMs = Math.min(afterFailureMs, leaseMs / 3);
    }
    await pauseUnlessStopping(waitMs, task.awake?.());
  }
  await inFlight(Promise.resolve(task.end?.())).catch((err: unknown) =>
    log.warn({ err, task: task.name }, "a task of the reader could not stop in order"),
  );
}

/** Queries the database only when the lease may expire soon: a step can take longer than the lease. */
class Election {
  #lease: Lease | null = null;
  #askedAt = -Infinity;
  #asking: Promise<boolean> | null = null;

  isWon(): Promise<boolean> {
    const isRecent = performance.now() - this.#askedAt < leaseMs / 3;
    if (isRecent) return Promise.resolve(this.#lease !== null);
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #ask(): Promise<boolean> {
    const askedAt = performance.now();
    if (this.#lease && !(await renewLease(this.#lease, leaseMs))) this.#lease = null;
    this.#lease ??= await takeLease(readerLease, { leaseMs, waitMs: 0 });
    this.#askedAt = askedAt;
    return this.#lease !== null;
  }

  async end(): Promise<void> {
    await this.#lease?.release().catch(() => undefined);
  }
}
