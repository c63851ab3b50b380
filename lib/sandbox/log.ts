import { pino, type Logger } from "pino";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on standard output. Nothing is logged whole, only fields that were chosen one by one. */
export function createLog(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { program: "sandbox" },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 1, sync: true }),
  );
}
