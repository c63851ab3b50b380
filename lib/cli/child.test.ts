import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { fromSource } from "./programs.mjs";
import { root } from "./root";

const child = `
  console.log("running", process.pid);
  setInterval(() => undefined, 1_000);
`;

it("takes its child with it, even by kill -9 (threat: a left-over program that blocks the next start)", async () => {
  const file = path.join(newFolder(), "child.mjs");
  writeFileSync(file, child);
  const parent = [...fromSource("lib/cli/testing/parent-program.ts"), file];
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const program = spawn(process.execPath, parent, { cwd: root, stdio: [...stdio] });
  const pid = await new Promise<number>((resolve) =>
    createInterface({ input: program.stdout }).on("line", (line) => {
      if (line.startsWith("started")) resolve(Number(line.split(" ")[1]));
    }),
  );
  expect(isRunning(pid)).toBe(true);
  program.kill("SIGKILL");
  await expect.poll(() => isRunning(pid), { timeout: 45_000 }).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
