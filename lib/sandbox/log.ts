import { pino, type Logger } from "pino";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on standard error, which leaves standard output to the ready line. */
export function createLog(level: LogLevel): Logger {
  return pino(
    { level, base: { program: "sandbox" }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
