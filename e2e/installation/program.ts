import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export type Program = Awaited<ReturnType<typeof startProgram>>;

type Options = {
  command: readonly string[];
  /** Left out: this project. */
  folder?: string;
  env: Record<string, string>;
  /** The first line of output that matches says that it is ready. */
  ready: RegExp;
  /** Everything it prints goes here. */
  logFile: string;
};

/**
 * A program of the project that a test runs in a separate process. Rejects, with what was printed, when the program ends
 * before it is ready.
 */
export async function startProgram({ command, folder = root, env, ready, logFile }: Options) {
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group, so that ending it ends what it started.
    detached: true,
  });
  const log = createWriteStream(logFile, { flags: "a" });
  child.stderr.pipe(log, { end: false });
  const line = await firstLine(child, ready, log);
  return {
    /** The line that announced that it is ready. */
    ready: line,
    pid: child.pid ?? 0,
    /** As Ctrl+C. */
    stop: () => end(child, "SIGINT"),
    /** `kill -9`. */
    kill: () => end(child, "SIGKILL"),
  };
}

function firstLine(
  child: ChildProcess,
  ready: RegExp,
  log: NodeJS.WritableStream,
): Promise<string> {
  const printed: string[] = [];
  child.stderr?.on("data", (part: Buffer) => printed.push(part.toString()));
  return new Promise((resolve, reject) => {
    if (child.stdout)
      createInterface({ input: child.stdout }).on("line", (line) => {
        printed.push(line);
        log.write(`${line}\n`);
        if (ready.test(line)) resolve(line);
      });
    child.once("exit", (code) =>
      reject(new Error(`ended with ${code} before it was ready:\n${printed.join("\n")}`)),
    );
    child.once("error", reject);
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  process.kill(-child.pid, signal);
  await ended;
}
