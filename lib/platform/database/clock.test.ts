import { configure } from "@/lib/platform/database/testing/configure";
import { log } from "@/lib/platform/log/log";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { clockAheadMs, compareClocks, watchClock } from "./clock";
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

it.skipIf(isPostgres)("uses this machine's clock with the embedded database", async () => {
  setClockAhead(tenMinutes);
  expect(await compareClocks()).toBeNull();
  expect(databaseTime()).toBe(Date.now());
});
