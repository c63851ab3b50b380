import { fromSource } from "@/lib/cli/programs.mjs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Another instance that reads, follows and sends, and a function that kills it like a crash would. */
export function startReaderProgram(): () => Promise<void> {
  const child = spawn(process.execPath, fromSource("lib/watch/testing/reader-program.ts"), {
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
