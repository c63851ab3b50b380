import { configure } from "@/lib/platform/database/testing/configure";
import { log } from "@/lib/platform/log/log";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { clockAheadMs, compareClocks, watchClock } from "./clock";
import { openDatabase } from "./open";
import { faultyNetwork } from "./testing/faulty-network";
import { freshDatabaseUrl } from "./testing/fresh-database";

const isPostgres = process.env["TEST_ENGINE"] === "postgres";
const tenMinutes = 600_000;

beforeAll(async () => configure({ DATABASE_URL: await freshDatabaseUrl() }));
beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => vi.useRealTimers());

/** As this test's machine has it. */
let real = 0;
function setClockAhead(ms: number): void {
  vi.useRealTimers();
  real = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: real + ms });
}

it.runIf(isPostgres)(
  "notices a clock that differs from the database's, logs it once, and uses the database's (threat: times in the future)",
  async () => {
    const warned = vi.spyOn(log, "warn");
    setClockAhead(0);
    await watchClock();
    expect(warned).not.toHaveBeenCalled();
    expect(Math.abs(databaseTime() - real)).toBeLessThan(1_000);
    for (const ahead of [tenMinutes, -tenMinutes]) {
      setClockAhead(ahead);
      await watchClock();
      expect(Math.abs((clockAheadMs() ?? 0) - ahead)).toBeLessThan(1_000);
      expect(Math.abs(databaseTime() - real)).toBeLessThan(1_000);
    }
    expect(warned.mock.calls).toEqual([
      [
        { aheadSeconds: 600 },
        expect.stringContaining("this machine's clock and the database's differ"),
      ],
    ]);
  },
);

it.runIf(isPostgres)(
  "keeps what a fast answer said where a slow one says less (threat: times that are off by half of a slow query)",
  async () => {
    vi.useRealTimers();
    const network = await faultyNetwork(await freshDatabaseUrl());
    const distant = openDatabase(network.url, { poolSize: 1 });
    await compareClocks(distant);
    network.slowBy(600);
    await compareClocks(distant);
    const halfOfTheSlow = 300;
    expect(Math.abs(databaseTime() - Date.now())).toBeLessThan(halfOfTheSlow / 2);
    await distant.destroy();
    await network.stop();
  },
);

it.skipIf(isPostgres)("uses this machine's clock with the embedded database", async () => {
  setClockAhead(tenMinutes);
  expect(await compareClocks()).toBeNull();
  expect(databaseTime()).toBe(Date.now());
});
