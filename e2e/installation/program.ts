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

/** A line of the log about an exception that nothing caught, whatever the program did afterwards. */
const fatal = /"level":"fatal"/;

/**
 * A program of the project that a test runs in a separate process. Rejects, with what was printed, when the program ends
 * before it is ready. Ending it rejects if it has logged anything fatal.
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
  const fatalLines: string[] = [];
  const log = createWriteStream(logFile, { flags: "a" });
  const line = await firstLine(child, ready, (printed) => {
    log.write(`${printed}\n`);
    if (fatal.test(printed)) fatalLines.push(printed);
  });
  const endWith = async (signal: NodeJS.Signals) => {
    await end(child, signal);
    if (fatalLines.length > 0) throw new Error(`it logged:\n${fatalLines.join("\n")}`);
  };
  return {
    /** The line that announced that it is ready. */
    ready: line,
    pid: child.pid ?? 0,
    /** As Ctrl+C. */
    stop: () => endWith("SIGINT"),
    /** As a service manager stops it; resolves when it has ended. */
    terminate: () => endWith("SIGTERM"),
    /** `kill -9`. */
    kill: () => endWith("SIGKILL"),
  };
}

function firstLine(
  child: ChildProcess,
  ready: RegExp,
  onLine: (line: string) => void,
): Promise<string> {
  const printed: string[] = [];
  return new Promise((resolve, reject) => {
    for (const input of [child.stdout, child.stderr].filter((output) => output !== null))
      createInterface({ input }).on("line", (line) => {
        printed.push(line);
        onLine(line);
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
  // After everything it printed was read.
  const ended = once(child, "close");
  process.kill(-child.pid, signal);
  await ended;
}
