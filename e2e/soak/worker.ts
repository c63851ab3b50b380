import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program of the project that runs beside, and what it has printed. */
export type Worker = {
  /** Resolves when it has printed something, or has ended. */
  speaks: Promise<unknown>;
  hasEnded: () => boolean;
  signal: (name: NodeJS.Signals) => void;
  /** Resolves with its exit code, or the name of the signal that ended it, and all it printed. */
  ended: Promise<{ end: number | string; printed: string }>;
};

export function startWorker(
  [file, ...args]: [string, ...string[]],
  env: Record<string, string>,
): Worker {
  const child = spawn(
    process.execPath,
    ["--conditions=react-server", "--import", "tsx", file, ...args],
    { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => (printed += part.toString()));
  const ended = once(child, "close").then(() => ({
    end: child.exitCode ?? child.signalCode ?? 1,
    printed,
  }));
  return {
    speaks: Promise.race([once(child.stdout, "data"), ended]),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    signal: (name) => void child.kill(name),
    ended,
  };
}

/** The last line, which is JSON. Rejects, with what was printed, when the program failed. */
export async function lastWord({ ended }: Worker): Promise<unknown> {
  const { end, printed } = await ended;
  if (end !== 0) throw new Error(`ended with ${end}:\n${printed}`);
  const word: unknown = JSON.parse(printed.trim().split("\n").at(-1) ?? "");
  return word;
}
