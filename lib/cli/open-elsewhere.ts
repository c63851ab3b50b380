import type { Secret } from "@/lib/platform/runtime/secret";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

type Process = { pid: number; command: string };

/**
 * One line for each other process that has the embedded database open, for whoever starts Gancho: while one of them
 * writes, nobody else can. Works on Linux only, and for processes that this user may inspect. No reason not to start: a
 * backup and an operator's command have it open too.
 */
export function openElsewhere(url: Secret): string[] {
  const text = url.reveal();
  if (!text.startsWith("file:")) return [];
  const file = path.resolve(text.replace(/^file:/, ""));
  return holdersOf(file).map(
    ({ pid, command }) =>
      `${file} is also open in process ${pid} (${command}): while that writes, Gancho has to wait`,
  );
}

function holdersOf(file: string): Process[] {
  const own = ancestry();
  const wanted = idOf(file);
  if (!wanted) return [];
  const pids = entriesOf("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids
    .filter((pid) => !own.has(pid))
    .filter((pid) =>
      entriesOf(`/proc/${pid}/fd`).some((fd) => idOf(`/proc/${pid}/fd/${fd}`) === wanted),
    )
    .map((pid) => ({ pid, command: read(`/proc/${pid}/comm`).trim() || "unknown" }));
}

/** This process and its ancestors: the demo reads the database before it starts the dashboard. */
function ancestry(): Set<number> {
  const found = new Set<number>();
  for (let pid = process.pid; pid > 0 && !found.has(pid);) {
    found.add(pid);
    // The command's name is in brackets, and may contain anything.
    const [, , parent] = /\) (\S) (\d+)/.exec(read(`/proc/${pid}/stat`)) ?? [];
    pid = Number(parent ?? 0);
  }
  return found;
}

/** By device and inode: a file may have several names. */
function idOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
