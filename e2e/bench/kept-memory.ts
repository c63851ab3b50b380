import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const preload = new URL("report-kept-memory.mjs", import.meta.url).href;

/** The environment of a program that lets `keptMb` query it; `file` is for this program alone. */
export function reportsKeptMemory(file: string): Record<string, string> {
  return { KEPT_MEMORY: file, NODE_OPTIONS: `--import=${preload}` };
}

/** What it holds now, in MB, its garbage collected. One question at a time. */
export async function keptMb(pid: number, file: string): Promise<number> {
  const reported = linesOf(file).length;
  process.kill(pid, "SIGUSR2");
  for (;;) {
    const line = linesOf(file)[reported];
    if (line !== undefined) return Number(line) / 1_024 ** 2;
    await pause(5);
  }
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
