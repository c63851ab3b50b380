import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { keyUse } from "@/lib/platform/secrets/key-faults";
import {
  named,
  ring,
  sealedWorld,
  sealSecrets,
  unreadable,
  variable,
  type SealedWorld,
} from "@/lib/platform/secrets/testing/sealed-world";
import { spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fromSource } from "@/lib/cli/programs.mjs";
import { root } from "@/lib/cli/root";
import { runGancho, startGancho } from "@/lib/cli/testing/run-gancho";

const many = 200;

let world: SealedWorld;
let sealed: Map<string, string>;

const environment = () => ({
  DATABASE_URL: world.url,
  AUTH_SECRET: randomBytes(32).toString("base64"),
  ENCRYPTION_KEYS: variable("k2", "k1"),
});
const rotate = () => startGancho(["rotate-keys"], environment());
const done = async () => (await keyUse(world.db)).get("k2") ?? 0;

/** Starts the command, and kills it once it has re-encrypted so many. */
async function killAfter(count: number): Promise<void> {
  const child = spawn(process.execPath, [...fromSource("lib/cli/gancho.ts"), "rotate-keys"], {
    cwd: root,
    env: { NODE_ENV: "test", PATH: process.env["PATH"], ...environment() },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  while ((await done()) < count && child.exitCode === null) await actAsOldCopy();
  child.kill("SIGKILL");
  await ended;
}

let added = 0;
/** Acts as a dashboard that still has the old key first: reads, and encrypts something new. */
async function actAsOldCopy(): Promise<void> {
  const old = ring("k1", "k2");
  const some = [...sealed].slice(randomInt(many - 5)).slice(0, 5);
  expect(await unreadable(world, old, new Map(some))).toEqual([]);
  for (const [id, text] of await sealSecrets(world.db, old, [`new-${(added += 1)}`]))
    sealed.set(id, text);
}

beforeEach(async () => {
  world = await sealedWorld();
});
afterEach(() => world.db.destroy());

it("says what is still needed, brings everything under the active key, and says what may be removed", async () => {
  sealed = await sealSecrets(world.db, ring("k1"), named(20));
  const check = await runGancho(["rotate-keys", "--check"], environment());
  expect(check).toMatchObject({ code: 1, err: "" });
  expect(check.out).toContain("k1: still needed for 20 data keys;");
  expect(await done()).toBe(0);
  const { code, out } = await runGancho(["rotate-keys"], environment());
  expect(code).toBe(0);
  expect(out).toContain("k1: needed by no data key");
  expect(await unreadable(world, ring("k2"), sealed)).toEqual([]);
});

it.runIf(isThorough)(
  "re-encrypts everything while others read and write, even if it is killed at any time",
  async () => {
    sealed = await sealSecrets(world.db, ring("k1"), named(many));
    await killAfter(randomInt(1, many));
    const runs = await Promise.all([rotate(), rotate()]);
    for (const { code, out, err } of runs) {
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toContain(`k2: active, encrypts ${sealed.size} data keys`);
      expect(out).toContain("k1: needed by no data key");
    }
    expect(await unreadable(world, ring("k2"), sealed)).toEqual([]);
  },
);
