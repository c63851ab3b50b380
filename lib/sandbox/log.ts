import { pino, type Logger } from "pino";
import type { MiddlewareHandler } from "hono";
import type { SandboxEnv } from "./service";

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

/**
 * One line for each request: who, what, how it ended and why. Chosen field by field: it never contains a header, a
 * query or a body, and a client id only once it is known to be one.
 */
export function logRequests(log: Logger): MiddlewareHandler<SandboxEnv> {
  return async (context, next) => {
    const started = performance.now();
    await next();
    const { status } = context.res;
    log[status >= 500 ? "error" : "info"](
      {
        method: context.req.method,
        path: context.req.path.slice(0, 200),
        status,
        client_id: context.var.clientId,
        address: context.var.address?.toString(),
        reason: context.var.reason,
        ms: Math.round(performance.now() - started),
      },
      "request",
    );
  };
}
