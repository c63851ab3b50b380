import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fromSource } from "./programs.mjs";

type Options = {
  /** Node's; `programBeside` returns those of a program of the project. */
  args: readonly string[];
  env?: Record<string, string>;
  stdout?: "inherit" | "ignore" | number;
};

/** A program of this folder: compiled where this one is, and from its source otherwise. */
export function programBeside(name: string): string[] {
  const file = fileURLToPath(import.meta.url);
  return path.extname(file) === ".ts"
    ? fromSource(`lib/cli/${name}.ts`)
    : [path.join(path.dirname(file), `${name}.mjs`)];
}

/**
 * Starts another program of the project. It ends when this one does, even by `kill -9`. It gets a separate process
 * group, so that Ctrl-C reaches this program alone, which then stops the others in order.
 */
export function startChild({ args, env = {}, stdout }: Options): ChildProcess {
  const follow = new URL("follow-parent.mjs", import.meta.url).href;
  const stdio: StdioOptions = ["ignore", stdout ?? "inherit", "inherit", "ipc"];
  return spawn(process.execPath, ["--import", follow, ...args], {
    cwd: process.cwd(),
    env: { ...process.env, ...env, GANCHO_PARENT: String(process.pid) },
    stdio,
    detached: true,
  });
}

/** Resolves with how the program ended: its exit code, or the name of the signal. */
export function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signal ?? 1));
  });
}
