import pino, { type DestinationStream, type Logger } from "pino";
import { logLevel } from "@/lib/platform/env/env";
import { randomBytes } from "node:crypto";

/**
 * JSON lines on standard output. Values that must not be printed are `Secret` and print as "[secret]" by themselves;
 * the list below is the second line of defence, against an object of somebody else's that is logged whole.
 */
const secretNames = [
  "access_token",
  "auth_header",
  "authorization",
  "Authorization",
  "client_secret",
  "clientSecret",
  "cookie",
  "cookies",
  "password",
  "secret",
  "set-cookie",
  "token",
];

/** Chosen field by field: an error of a library may carry its request, its query or the row it failed on. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const code: unknown = "code" in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === "string" ? { code } : {}),
    ...(error.cause === undefined || depth > 2
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  };
}

/** `to` and `level` are for tests. */
export function createLog(to?: DestinationStream, level = logLevel()): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: "[secret]",
    },
  };
  return to ? pino(options, to) : pino(options);
}

export const log = createLog();

/** Names one request from the answer to the log line to the history row; people quote it. 16 hexadecimal characters. */
export function newRequestId(): string {
  return randomBytes(8).toString("hex");
}
