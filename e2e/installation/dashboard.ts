import { mkdirSync } from "node:fs";
import path from "node:path";
import { answersFolder, recordsAnswers } from "@/e2e/answers/recorded";
import { startProgram, type Program } from "./program";

type Options = {
  /** Beside what this process has. */
  env: Record<string, string>;
  logFile: string;
  /** The run's, in which its answers are written down. */
  run: string;
  /** The project's; left out: this one. */
  folder?: string;
};

/** The production build of the dashboard as a process of its own. */
export async function startDashboard({ env, run, ...options }: Options): Promise<Program> {
  const answers = path.join(run, answersFolder);
  mkdirSync(answers, { recursive: true });
  return startProgram({
    ...options,
    command: [process.execPath, "dist/start.mjs"],
    // Nobody distributes requests here, and tests count what the service is asked: it is asked for them alone.
    env: { GANCHO_STOP_GRACE: "0", WATCH_EVERY: "0", ...env, ...recordsAnswers(answers) },
    ready: /Gancho ready/,
  });
}
