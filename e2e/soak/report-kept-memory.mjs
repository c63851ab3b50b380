/**
 * Preloaded into a program whose memory is judged. Asked with SIGUSR2, it collects its garbage and adds a line to the
 * file KEPT_MEMORY: how many bytes are left. What a system says a process uses is mostly garbage that lies about.
 */
import { appendFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const file = process.env.KEPT_MEMORY;
// Workers of the framework inherit the preload; only who is asked by its number answers.
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
