import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { fromSource } from "@/lib/cli/programs.mjs";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { startFaultyWorld, type TestPartner, type World } from "@/lib/webhooks/testing/world";
import { countReadings, readingsOf } from "@/lib/watch/testing/world";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sql } from "kysely";
import { leaseMs, watchedEnvironment } from "./turns";
import { Watcher } from "./watcher";

let upstream: FaultyUpstream;
let world: World;

beforeAll(async () => {
  ({ world, upstream } = await startFaultyWorld());
});
afterAll(() => world.close());

it.runIf(isThorough)(
  "a connection that a killed worker (kill -9) was reading is read by another one when the lease is over",
  async () => {
    const partners: TestPartner[] = [];
    for (let i = 0; i < 3; i += 1) partners.push(await world.partner());
    const watched = watchedEnvironment("sandbox");
    if (!watched) throw new Error("the sandbox is not watched");
    countReadings();
    const other = new Watcher(watched);
    await other.round();
    const due_at = await readSteadyClock();
    await db().updateTable("watch_turns").set({ due_at }).execute();
    upstream.setPlan({ rules: [{ kind: "token", action: { ending: "hang", cutAfter: 0 } }] });

    const child = spawn(process.execPath, fromSource("lib/watch/testing/watch-program.ts"), {
      env: process.env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const exited = once(child, "exit");
    await vi.waitFor(
      async () => {
        expect(upstream.counts().token).toBeGreaterThan(0);
      },
      { timeout: 120_000, interval: 100 },
    );
    child.kill("SIGKILL");
    await exited;
    const held = await db()
      .selectFrom("watch_turns")
      .select("connection_id")
      .where("holder", "is not", null)
      .execute();
    expect(held.length).toBeGreaterThan(0);

    upstream.setPlan({ rules: [] });
    const readAll = async () => {
      // The pace lets one begin a second where there are so few.
      await db().updateTable("watch_services").set({ paced_until: 0 }).execute();
      await other.round();
    };
    for (let i = 0; i < 3; i += 1) await readAll();
    const before = readingsOf(partners);
    expect(before.filter((count) => count === 0)).toHaveLength(held.length);
    // A lease's time later, without waiting for it.
    await db()
      .updateTable("watch_turns")
      .set({ lease_until: sql<number>`lease_until - cast(${leaseMs} as bigint)` })
      .where("lease_until", ">", 0)
      .execute();
    for (let i = 0; i < 3; i += 1) await readAll();
    expect(readingsOf(partners)).toEqual([1, 1, 1]);
  },
  180_000,
);
