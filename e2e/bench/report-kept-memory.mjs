/**
 * Preloaded into a program whose memory is measured. On SIGUSR2 it collects its garbage and appends the remaining bytes
 * to the file KEPT_MEMORY. What a system reports as a process's memory is mostly garbage not yet collected.
 */
import { appendFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const file = process.env.KEPT_MEMORY;
// The framework's workers inherit the preload; only the process that gets the signal answers.
delete process.env.KEPT_MEMORY;

if (file !== undefined) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    appendFileSync(file, `${heapUsed + external}\n`);
  });
}
