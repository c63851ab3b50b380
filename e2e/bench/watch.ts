import type { Engine } from "@/e2e/soak/installation";
import { setTimeout as pause } from "node:timers/promises";
import { cpuSeconds, printTable } from "./figures";
import { onFilled, startFilled } from "./filled";

type Watched = { partners: number; engine: Engine; everyMinutes: number };

const minute = 60_000;

/**
 * What reading so many connections in the background costs the process that does: nobody else uses it. The first period
 * reads each connection for the first time, exchanges tokens and records what differs from the made-up past; the second
 * is what every other one is like.
 */
export async function measureWatch({ partners, engine, everyMinutes }: Watched): Promise<void> {
  await onFilled(engine, async (place) => {
    const { db, pid, metrics, stop } = await startFilled(partners, place, {
      WATCH_EVERY: String(everyMinutes),
    });
    try {
      // The dashboard schedules them anew, spread over the period.
      await db.deleteFrom("reading_schedule").execute();
      const lines = [["period", "readings", "not ok", "a second", "of a core", "latest, s"]];
      for (const period of ["first", "second"]) {
        const before = await stateOf(metrics, pid);
        let lag = 0;
        for (let passed = 0; passed < everyMinutes; passed += 1) {
          await pause(minute);
          lag = Math.max(lag, (await stateOf(metrics, pid)).lag);
        }
        const after = await stateOf(metrics, pid);
        const seconds = (after.at - before.at) / 1_000;
        const readings = after.readings - before.readings;
        lines.push([
          period,
          String(readings),
          String(readings - (after.ok - before.ok)),
          (readings / seconds).toFixed(1),
          `${((100 * (after.cpu - before.cpu)) / seconds).toFixed(1)} %`,
          lag.toFixed(1),
        ]);
      }
      printTable(lines);
    } finally {
      await stop();
    }
  });
}

async function stateOf(metrics: string, pid: number) {
  const text = await (await fetch(metrics)).text();
  const sumOf = (start: RegExp) =>
    text
      .split("\n")
      .filter((line) => start.test(line))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  return {
    at: performance.now(),
    cpu: cpuSeconds(pid),
    readings: sumOf(/^gancho_readings_total\{.*by="watch"/),
    ok: sumOf(/^gancho_readings_total\{.*by="watch",result="ok"/),
    lag: sumOf(/^gancho_watch_lag_seconds\{/),
  };
}
