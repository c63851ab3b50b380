import { processFigures } from "@/e2e/bench/process-figures";
import { readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { Agent, request } from "undici";

/** What is asked, in turn, and of whom. */
export type Load = {
  url: string;
  cookie: string;
  /** Of the dashboard, on this machine. */
  pid: number;
  /** By the name under which their figures are printed. */
  paths: readonly { name: string; path: string }[];
  /** Requests a second, all paths together. */
  rate: number;
  seconds: number;
};

/** Somebody who waits longer has gone. */
const patienceMs = 30_000;

/** Of Linux: ticks of a second in which CPU time is told. */
const ticksPerSecond = 100;

/**
 * Asks at moments that were fixed before, whether or not the earlier requests were answered: as people do, who do not
 * wait for one another. Times count from those moments, so a server that falls behind cannot hide it.
 */
export async function measureLoad({ url, cookie, pid, paths, rate, seconds }: Load): Promise<void> {
  const dispatcher = new Agent({ connections: 256, keepAliveTimeout: 60_000 });
  const times = new Map<string, number[]>();
  const failures = new Map<string, number>();
  const headers = { cookie, origin: url, "x-requested-by": "gancho" };
  async function ask({ name, path }: { name: string; path: string }, due: number) {
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const answer = await request(new URL(path, url), { dispatcher, headers, signal });
      await answer.body.dump({ limit: 10_000_000 });
      if (answer.statusCode !== 200) throw new Error(String(answer.statusCode));
      const own = times.get(name) ?? [];
      times.set(name, own);
      own.push(performance.now() - due);
    } catch (error) {
      const why = `${name}: ${error instanceof Error ? error.message : String(error)}`;
      failures.set(why, (failures.get(why) ?? 0) + 1);
    }
  }
  // The first answers of a server that has just started are no measure of the others.
  for (const each of paths) await ask(each, performance.now());
  times.clear();
  failures.clear();

  const [began, cpuBefore] = [performance.now(), cpuSeconds(pid)];
  const resident = [processFigures(pid).residentMb];
  const asked: Promise<void>[] = [];
  for (let i = 0; i < rate * seconds; i += 1) {
    const due = began + (i * 1_000) / rate;
    await after(Math.max(0, due - performance.now()));
    const next = paths[i % paths.length];
    if (next) asked.push(ask(next, due));
    if (i % rate === 0) resident.push(processFigures(pid).residentMb);
  }
  const share = (cpuSeconds(pid) - cpuBefore) / ((performance.now() - began) / 1_000);
  await Promise.all(asked);
  await dispatcher.destroy();

  console.log(`${rate} requests a second for ${seconds} s`);
  for (const [name, values] of times) {
    const sorted = values.sort((a, b) => a - b);
    const at = (part: number) =>
      `${Math.round(sorted[Math.ceil(part * sorted.length) - 1] ?? NaN)} ms`;
    console.log(
      `${name}: ${sorted.length} answered, p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}`,
    );
  }
  console.log(
    `CPU: ${Math.round(share * 100)} % of one core; memory: ${Math.round(resident[0] ?? NaN)} MB at first, ` +
      `${Math.round(Math.max(...resident))} MB at the most`,
  );
  console.log(`errors: ${[...failures.values()].reduce((sum, count) => sum + count, 0)}`);
  for (const [why, count] of failures) console.log(`  ${count} × ${why}`);
}

/** Of all threads of a process, in the program and in the kernel for it. */
export function cpuSeconds(pid: number): number {
  // The name of the program, in parentheses, may have spaces in it.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
