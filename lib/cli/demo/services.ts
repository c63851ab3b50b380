import { errorCode } from "@/lib/platform/runtime/network-error";
import path from "node:path";
import { chmodSync, existsSync, openSync, statSync } from "node:fs";
import type { ChildProcess } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import { ended, programBeside, startChild } from "@/lib/cli/child";
import { CliError } from "@/lib/cli/failure";
import { compiledPrograms } from "@/lib/cli/programs.mjs";
import { root } from "@/lib/cli/root";
import { once } from "node:events";
import { createServer } from "node:net";

/** A program that the demo keeps running. */
export type Service = {
  /** Rejects with a `CliError` when it ends by itself. */
  died: Promise<never>;
  /** Stops it and waits for its end; kills it after half a minute. */
  stop(): Promise<void>;
};

export const startSandbox = (log: LogFile): Promise<Service> =>
  startService("sandbox", programBeside("sandbox"), log);

/** `dev`: as `npm run dev` starts it. */
export function startDashboard(
  dev: boolean,
  log: LogFile,
  env: Record<string, string>,
): Promise<Service> {
  // The program that renders pages does not resolve modules as the other programs do.
  const args = dev
    ? ["--import", "tsx", path.join(root, "lib/cli/start.ts"), "--dev"]
    : [path.join(compiledPrograms, "start.mjs")];
  return startService("dashboard", args, log, env);
}

/**
 * Resolves when the program itself says that it is ready: what answers on its port may be another one. Rejects with
 * `CliError` when it ends before.
 */
async function startService(
  name: string,
  args: string[],
  log: LogFile,
  env: Record<string, string> = {},
): Promise<Service> {
  const child = startChild({ args, env, stdout: log.handle });
  const service = serviceOf(name, child, log);
  const ready = new Promise((resolve) => child.once("message", resolve));
  await Promise.race([service.died, ready]);
  return service;
}

function serviceOf(name: string, child: ChildProcess, log: LogFile): Service {
  let isStopping = false;
  const end = ended(child);
  const died = end.then((how): Promise<never> => {
    // stop() ended it.
    if (isStopping) return new Promise(() => undefined);
    throw new CliError(
      `the ${name} stopped unexpectedly (${how}); its output is above and in ${log.path}`,
    );
  });
  died.catch(() => undefined);
  return {
    died,
    async stop() {
      isStopping = true;
      child.kill("SIGTERM");
      const killTimer = setTimeout(() => child.kill("SIGKILL"), 30_000);
      await end;
      clearTimeout(killTimer);
    },
  };
}

type LogFile = { path: string; handle: number };

/** Where a program of the demo writes; emptied at each start, readable by its owner only. */
export function openLogFile(dataDir: string, name: string): LogFile {
  const file = path.join(dataDir, `${name}.log`);
  const handle = openSync(file, "w", 0o600);
  chmodSync(file, 0o600);
  return { path: file, handle };
}

/** Builds the dashboard unless there is a finished build. */
export async function buildWhenNeeded(log: LogFile): Promise<void> {
  if (existsSync(compiledPrograms)) {
    const { mtime } = statSync(compiledPrograms);
    console.log(`The dashboard was built at ${mtime.toISOString()}; npm run build rebuilds it.`);
    return;
  }
  console.log("Building the dashboard …");
  const end = await ended(startChild({ args: programBeside("build"), stdout: log.handle }));
  if (end !== 0) throw new CliError(`the build failed; it says why in ${log.path}`);
}

/** How long the programs of a demo that was just killed may keep their ports, milliseconds. */
const portTimeoutMs = 3_000;

/** Throws `CliError` when another program listens on the port: checked before the build, which takes a minute. */
export async function requireFreePort(variable: string, port: number): Promise<void> {
  const giveUpAt = performance.now() + portTimeoutMs;
  while (!(await isFree(port))) {
    if (performance.now() > giveUpAt)
      throw new CliError(
        `port ${port} is taken: stop the program that uses it, or set ${variable} to another`,
      );
    await after(100);
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    if (errorCode(error) === "EADDRINUSE") return false;
    throw error;
  }
  server.close();
  await once(server, "close");
  return true;
}
