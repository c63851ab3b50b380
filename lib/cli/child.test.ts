import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { fromSource } from "./programs.mjs";
import { root } from "./root";

const child = `
  console.log("running", process.pid);
  setInterval(() => undefined, 1_000);
`;

it.each([["just started", "started"]])(
  "takes what it %s with it, even by kill -9 (threat: a left-over program that blocks the next start)",
  async (_when, word) => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), "gancho-test-")), "child.mjs");
    writeFileSync(file, child);
    const program = spawn(
      process.execPath,
      [...fromSource("lib/cli/testing/parent-program.ts"), file],
      {
        cwd: root,
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const pid = await new Promise<number>((resolve) =>
      createInterface({ input: program.stdout }).on("line", (line) => {
        if (line.startsWith(word)) resolve(Number(line.split(" ")[1]));
      }),
    );
    expect(isRunning(pid)).toBe(true);
    program.kill("SIGKILL");
    await expect.poll(() => isRunning(pid), { timeout: 45_000 }).toBe(false);
  },
);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
