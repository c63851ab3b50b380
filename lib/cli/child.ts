import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

type Options = {
  /** The file that Node runs; `programBeside` returns that of a program of the project. */
  file: string;
  args?: readonly string[];
  env?: Record<string, string>;
  stdout?: "inherit" | "ignore" | number;
};

/** A program that was compiled together with this one (programs.mjs). */
export function programBeside(name: string): string {
  return path.join(path.dirname(fileURLToPath(import.meta.url)), `${name}.mjs`);
}

/**
 * Starts another program of the project. It ends when this one does, even by `kill -9`. It gets a separate process
 * group, so that Ctrl-C reaches this program alone, which then stops the others in order.
 */
export function startChild({ file, args = [], env = {}, stdout }: Options): ChildProcess {
  const follow = pathToFileURL(programBeside("follow-parent")).href;
  const stdio: StdioOptions = ["ignore", stdout ?? "inherit", "inherit", "ipc"];
  return spawn(process.execPath, ["--import", follow, file, ...args], {
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
