import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { fromSource } from "@/lib/cli/programs.mjs";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { startFaultyWorld, type World } from "@/lib/webhooks/testing/world";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { watchedEnvironment } from "./turns";
import { Watcher } from "./watcher";

let upstream: FaultyUpstream;
let world: World;

beforeAll(async () => {
  ({ world, upstream } = await startFaultyWorld());
});
afterAll(() => world.close());

/** Another instance that reads, and a function that kills it like a crash would. */
function startInstance(): () => Promise<void> {
  const child = spawn(process.execPath, fromSource("lib/watch/testing/reader-program.ts"), {
    env: process.env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exited = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  return kill;
}

const soon = { timeout: 120_000, interval: 100 };

const confirmed = async () =>
  (await db().selectFrom("watch_turns").select("confirmed_at").execute()).filter(
    ({ confirmed_at }) => confirmed_at !== null,
  ).length;

it.runIf(isThorough)(
  "connections that a killed instance (kill -9) was reading are read by another one, which begins when the lease is over",
  async () => {
    for (let i = 0; i < 3; i += 1) await world.partner();
    const watched = watchedEnvironment("sandbox");
    if (!watched) throw new Error("the sandbox is not watched");
    await new Watcher(watched).round();
    await db().updateTable("watch_turns").set({ confirmed_at: null }).execute();
    const due_at = await readSteadyClock();
    await db().updateTable("watch_turns").set({ due_at }).execute();
    upstream.setPlan({ rules: [{ kind: "token", action: { ending: "hang", cutAfter: 0 } }] });

    const kill = startInstance();
    await vi.waitFor(async () => expect(upstream.counts().token).toBeGreaterThan(0), soon);
    startInstance();
    await kill();
    expect(await confirmed()).toBe(0);
    upstream.setPlan({ rules: [] });
    await vi.waitFor(async () => expect(await confirmed()).toBe(3), soon);
    const lease = await db()
      .selectFrom("leases")
      .select("fence")
      .where("name", "=", "reader")
      .executeTakeFirst();
    expect(lease?.fence).toBe(2);
  },
  180_000,
);
