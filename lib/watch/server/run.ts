import "server-only";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import { inFlight, isStopping } from "@/lib/platform/runtime/in-flight";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { setTimeout as pause } from "node:timers/promises";
import { recordReadings } from "./reading-log";
import { watchedEnvironment, type Watched } from "./turns";
import { Watcher } from "./watcher";

/** The delay after a failure, of the database for example, milliseconds. */
const afterFailureMs = 5_000;
/** How often to check whether the process is stopping, milliseconds. */
const noticeMs = 500;

/**
 * Records people's readings, and reads in the background until this process stops; resolves when the readings in flight
 * have ended. Once, however often it is called.
 */
export function watchAll(): Promise<void> {
  return processWide("watch", async () => {
    recordReadings();
    const watched = [...env().environments.keys()]
      .map(watchedEnvironment)
      .filter((found) => found !== null);
    await Promise.all(watched.map(watchOne));
  });
}

async function watchOne(watched: Watched): Promise<void> {
  const watcher = new Watcher(watched);
  while (!isStopping()) {
    let waitMs = afterFailureMs;
    try {
      waitMs = await inFlight(watcher.step());
    } catch (err) {
      // The database may be away for a while. Due turns stay due.
      const { environment } = watched;
      log.warn({ err, environment }, "connections could not be read in the background");
    }
    await quiet(watcher, waitMs);
  }
  await inFlight(watcher.end()).catch((err: unknown) =>
    log.warn({ err }, "the background readings did not end in order"),
  );
}

async function quiet(watcher: Watcher, ms: number): Promise<void> {
  const until = performance.now() + ms;
  let isAwake = false;
  const awake = watcher.awake().then(() => (isAwake = true));
  // In parts, so that a stopping process need not wait for the longest of them.
  while (!isStopping() && !isAwake && performance.now() < until) {
    const part = Math.min(noticeMs, until - performance.now());
    await Promise.race([awake, pause(part, undefined, { ref: false })]);
  }
}
