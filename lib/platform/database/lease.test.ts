import { configure } from "@/lib/platform/database/testing/configure";
import { inTransaction, update } from "@/lib/platform/database/testing/rows";
import { env } from "@/lib/platform/env/env";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { isLeased, releaseWith, takeLease, takeLeaseWithin } from "./lease";
import { db, isPostgres } from "./open";
import { elapsedSince, readSteadyClock } from "./steady-clock";

const hour = 60 * 60_000;

beforeAll(() => configure());
afterEach(() => vi.useRealTimers());

const take = (name: string, leaseMs = 20_000) => takeLease(name, { leaseMs, waitMs: 0 });

function theTimeOfDayJumps(ms: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

describe("a lease", () => {
  it("has one holder, and the next one after it is given back", async () => {
    const first = await take("one");
    expect(await take("one")).toBeNull();
    expect(await take("another")).not.toBeNull();
    await first?.release();
    expect(await take("one")).not.toBeNull();
  });

  it("is granted to exactly one of many concurrent callers", async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => take("wanted")));
    expect(taken.filter((lease) => lease !== null)).toHaveLength(1);
  });

  it("can be taken after it expires, and a late release by the old holder has no effect", async () => {
    const dead = await take("dead", 0);
    const next = await take("dead");
    expect(next).not.toBeNull();
    await dead?.release();
    expect(await take("dead")).toBeNull();
  });

  it("is renewed while its holder works, so it may be short: a killed holder blocks nobody for long", async () => {
    const held = await takeLease("renewed", { leaseMs: 600, waitMs: 0, renewForMs: hour });
    const end = async () =>
      (
        await db().selectFrom("leases").select("expires_at").where("name", "=", "renewed").execute()
      )[0]?.expires_at;
    const first = await end();
    await expect.poll(end, { timeout: 10_000 }).toBeGreaterThan(first ?? 0);
    await held?.release();
    expect(await end()).toBe(0);
  });

  it("taken within a transaction is invisible to others, and refused while somebody holds it", async () => {
    const withinOne = () =>
      inTransaction(async (trx) => {
        const lease = await takeLeaseWithin(trx, "within", { leaseMs: 20_000 });
        if (lease) await releaseWith(trx, lease);
        return lease !== null;
      });
    expect(await withinOne()).toBe(true);
    expect(await isLeased("within", { leaseMs: 20_000 })).toBe(false);
    await take("within");
    expect(await isLeased("within", { leaseMs: 20_000 })).toBe(true);
    expect(await withinOne()).toBe(false);
  });

  it.each([hour, -hour])(
    "is neither ended nor prolonged by a jump of the time of day (%i ms): two saves at once would lose an update",
    async (jump) => {
      const name = `jump ${jump}`;
      const held = await take(name);
      const ended = await take(`${name}, ended`, 0);
      theTimeOfDayJumps(jump);
      expect(await take(name)).toBeNull();
      expect(ended && (await take(`${name}, ended`))).not.toBeNull();
      await held?.release();
      expect(await take(name)).not.toBeNull();
    },
  );

  it("from before a restart of the machine, which resets the clock, blocks nobody", async () => {
    await take("restarted");
    await update("leases", { expires_at: (await readSteadyClock()) + hour }, { name: "restarted" });
    expect(await take("restarted")).not.toBeNull();
  });
});

describe("the steady clock", () => {
  it("advances, whatever happens to the time of day", async () => {
    const before = await readSteadyClock();
    theTimeOfDayJumps(-hour);
    const after = await readSteadyClock();
    expect(after).toBeGreaterThanOrEqual(before);
    expect(elapsedSince(before, after)).toBeLessThan(hour);
  });

  it("counts a time ahead of it from the machine's restart on, or from now where the server's clock was set back: never as longer ago than it was", () => {
    expect(elapsedSince(1_000, 1_500)).toBe(500);
    expect(elapsedSince(90_000, 1_500)).toBe(isPostgres(env().databaseUrl.reveal()) ? 0 : 1_500);
  });
});
