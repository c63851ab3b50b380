import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root";

type Options = {
  /** Of the project, `lib/cli/start.ts` for example. */
  file: string;
  args?: readonly string[];
  /** Programs that reach the database or secrets; never the one that renders pages. */
  reactServer?: boolean;
  env?: Record<string, string>;
  stdout?: "inherit" | "ignore" | number;
};

/**
 * Starts another program of the project. It ends when this one does, however that comes about. It is in a process
 * group of its own, so that Ctrl-C reaches this program alone, which then asks the others to end, in order.
 */
export function startChild({
  file,
  args = [],
  reactServer = false,
  env = {},
  stdout,
}: Options): ChildProcess {
  const follow = pathToFileURL(path.join(root, "lib/cli/follow-parent.mjs")).href;
  const stdio: StdioOptions = ["ignore", stdout ?? "inherit", "inherit", "ipc"];
  return spawn(
    process.execPath,
    [
      ...(reactServer ? ["--conditions=react-server"] : []),
      "--import",
      "tsx",
      "--import",
      follow,
      path.join(root, file),
      ...args,
    ],
    {
      cwd: process.cwd(),
      env: { ...process.env, ...env, GANCHO_PARENT: String(process.pid) },
      stdio,
      detached: true,
    },
  );
}

/** Resolves with how the program ended: its exit code, or the name of the signal. */
export function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? signal ?? 1));
  });
}
