import { log } from "@/lib/platform/log/log";
import { inspect, stripVTControlCharacters } from "node:util";

const methods = {
  debug: "debug",
  log: "info",
  info: "info",
  warn: "warn",
  error: "error",
} as const;

/** Longer than any message of the framework's. */
const longest = 4_000;

/**
 * Turns what the framework and libraries print into lines of the log: an error with its stack, and with the request in
 * progress. Returns a function that prints as before.
 */
export function consoleToLog(): (line: string) => void {
  const print = console.log.bind(console);
  for (const [method, level] of Object.entries(methods))
    Object.assign(console, {
      [method]: (...parts: unknown[]) => {
        const err = parts.find((part) => part instanceof Error);
        const words = parts.filter((part) => part !== err).map(wordsOf);
        const text = words.join(" ").trim().slice(0, longest);
        log[level as (typeof methods)[keyof typeof methods]](
          { source: "framework", ...(err && { err }) },
          text || "an error outside Gancho's own code",
        );
      },
    });
  process.removeAllListeners("warning");
  process.on("warning", (err) => log.warn({ source: "node", err }, "a warning"));
  process.on("uncaughtExceptionMonitor", (err) => log.fatal({ err }, "the process ends"));
  return print;
}

function wordsOf(part: unknown): string {
  return stripVTControlCharacters(typeof part === "string" ? part : inspect(part, { depth: 2 }));
}
