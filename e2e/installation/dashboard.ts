import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import path from "node:path";
import { answersFolder, recordingEnv } from "@/e2e/answers/recorded";
import { freePort } from "./free-port";
import { startProgram, type Program } from "./program";

type Options = {
  /** In addition to this process's environment. */
  env: Record<string, string>;
  logFile: string;
  /** The run's folder, which records the dashboard's answers. */
  run: string;
  /** The project's; left out: this one. */
  folder?: string;
};

/** The production build of the dashboard as a separate process. */
export async function startDashboard({ env, run, ...options }: Options): Promise<Program> {
  const answers = path.join(run, answersFolder);
  mkdirSync(answers, { recursive: true });
  return startProgram({
    ...options,
    command: [process.execPath, "dist/start.mjs"],
    // No background readings: tests count the requests to the service, so they alone may cause any.
    env: { WATCH_EVERY: "0", ...env, ...recordingEnv(answers) },
    ready: /Gancho ready/,
  });
}

/** A place for one more dashboard of the run: its address, its folder, its log, and how it is started. */
export async function anotherDashboard() {
  const run = process.env["E2E_FOLDER"] ?? "";
  const folder = mkdtempSync(path.join(run, "another-"));
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const logFile = path.join(folder, "dashboard.log");
  return {
    url,
    folder,
    start: (env: Record<string, string>) =>
      startDashboard({ env: { PORT: port, GANCHO_URL: url, ...env }, run, logFile }),
    log: () => readFileSync(logFile, "utf8"),
  };
}
