import { mkdirSync } from "node:fs";
import path from "node:path";
import { answersFolder, recordsAnswers } from "@/e2e/answers/recorded";
import { startProgram, type Program } from "./program";

type Options = {
  /** Beside what this process has. */
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
    // Nothing distributes requests here, and tests count the requests to the service: they alone cause them.
    env: { WATCH_EVERY: "0", ...env, ...recordsAnswers(answers) },
    ready: /Gancho ready/,
  });
}
