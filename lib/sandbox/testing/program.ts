import { root } from "@/lib/cli/programs.mjs";
import { compiledProgram } from "@/lib/cli/testing/compiled-program";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** What the program wrote, and how it ended: its exit code, or the signal that killed it. */
type Ended = { code: number | null; signal: string | null; out: string[]; err: string[] };

/** Starts the sandbox in a separate process, as `npm run sandbox` does, on any free port. */
export async function startProgram(settings: Record<string, string>, umask = "022") {
  const sandbox = await compiledProgram("sandbox");
  const start = ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, ...sandbox];
  const child = spawn("/bin/sh", start, {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", SANDBOX_PORT: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const out = createInterface(child.stdout);
  const err = createInterface(child.stderr);
  const lines: Pick<Ended, "out" | "err"> = { out: [], err: [] };
  out.on("line", (line) => lines.out.push(line));
  err.on("line", (line) => lines.err.push(line));
  const ended = Promise.all([once(child, "exit"), once(out, "close"), once(err, "close")]).then(
    ([[code, signal]]): Ended => ({ code, signal, ...lines }),
  );
  const ready = new Promise<string>((resolve) => {
    out.on("line", (line) => {
      const [, url] = /^Sandbox ready at (http:\S+)$/.exec(line) ?? [];
      if (url) resolve(url);
    });
  });
  const first = await Promise.race([ready, ended]);
  if (typeof first !== "string") throw new Error(`It did not start: ${first.err.join("\n")}`);
  return {
    url: first,
    /** Sends a signal and waits for the end. */
    stop(signal: NodeJS.Signals) {
      child.kill(signal);
      return ended;
    },
  };
}
