import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { startReaderProgram } from "@/lib/watch/testing/start-reader";
import { db } from "@/lib/platform/database/open";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import {
  forgotten,
  history,
  inWorld,
  partner,
  plan,
  save,
  upstream,
  url,
  world,
} from "@/lib/webhooks/testing/in-world";
import { expect, it, vi } from "vitest";
import { watchedEnvironment } from "./schedules";
import { Watcher } from "./watcher";

inWorld();

const soon = { timeout: 120_000, interval: 100 };

const confirmed = async () =>
  (await db().selectFrom("reading_schedule").select("confirmed_at").execute()).filter(
    ({ confirmed_at }) => confirmed_at !== null,
  ).length;

it.runIf(isThorough)(
  "another instance, once the lease has expired, reads the connections that a killed one (kill -9) was reading, and follows its open save to the end",
  async () => {
    const others = [await world.partner(), await world.partner()];
    plan(forgotten);
    expect(await save()).toMatchObject({ outcome: "accepted" });
    const watched = watchedEnvironment("sandbox");
    if (!watched) throw new Error("the sandbox is not watched");
    await new Watcher(watched).round();
    await update("reading_schedule", { confirmed_at: null, due_at: await readSteadyClock() });
    plan({ kind: "token", action: { ending: "hang", cutAfter: 0 } });

    const kill = startReaderProgram();
    await vi.waitFor(async () => expect(upstream.counts().token).toBeGreaterThan(0), soon);
    startReaderProgram();
    await kill();
    expect(await confirmed()).toBe(0);
    await partner.register({ url, type: "pix_in", authorization: "Bearer typed" });
    plan();
    await vi.waitFor(async () => expect(await confirmed()).toBe(1 + others.length), soon);
    const ends = async () => (await history("save_shown")).map(({ outcome }) => outcome);
    await vi.waitFor(async () => expect(await ends()).toEqual(["saved"]), soon);
    expect(await rowOf("leases", { name: "reader" })).toMatchObject({ fence: 2 });
  },
  180_000,
);
