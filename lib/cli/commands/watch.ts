import { onStop, shutdownTimeoutMs } from "@/lib/cli/stop";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { watchClock } from "@/lib/platform/database/clock";
import { env } from "@/lib/platform/env/env";
import { beginStopping, untilDone } from "@/lib/platform/runtime/in-flight";
import { registerFigures } from "@/lib/installation/server/figures";
import { registerWatchFigures } from "@/lib/watch/server/figures";
import { serveMetrics } from "@/lib/cli/metrics-server";
import { followSaves } from "@/lib/webhooks/server/save/follow-saves";
import { watchAll } from "@/lib/watch/server/run";
import type { Command } from "./command";
import { constants, setPriority } from "node:os";

export const command: Command = {
  help: `Usage: npm run gancho -- watch

Reads every API connection in the background, as the dashboard does by itself. Use it for
installations so large that these reads should not take time from the people who use the dashboard;
then set WATCH_IN_DASHBOARD=0 for the dashboards. Any number of these programs, on any machine,
share the work through the database. If one dies, the others take over its connections within half a
minute.

It runs until it is stopped (Ctrl-C, SIGTERM), and then finishes what it has begun.

WATCH_EVERY, WATCH_RATE and WATCH_AT_ONCE set how often and how fast it reads. With METRICS_PORT it
serves metrics of its own: on the machine of a dashboard, give it another port.`,
  options: {},
  positionals: 0,
  run: async () => {
    const config = env();
    if (config.watch.size === 0)
      throw new Failure("WATCH_EVERY is 0 everywhere: there is nothing to watch");
    // On the machine of a dashboard or the database, people come first.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    registerFigures();
    registerWatchFigures();
    await serveMetrics(config);
    await (await prepareDatabase(config)).destroy();
    onStop(beginStopping);
    await watchClock();
    followSaves();
    for (const [name, { everyMs }] of config.watch)
      console.log(`Watching ${name}: every connection once in ${everyMs / 60_000} minutes`);
    await keepingAlive(watchAll());
    await untilDone(shutdownTimeoutMs);
  },
};

/** The program's waits keep no process alive: a dashboard that stops must not wait for them. */
async function keepingAlive(work: Promise<void>): Promise<void> {
  const alive = setInterval(() => undefined, 60_000);
  await work.finally(() => clearInterval(alive));
}
