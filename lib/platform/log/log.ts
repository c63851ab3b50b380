import pino, { type DestinationStream, type Logger } from "pino";
import { logLevel } from "@/lib/platform/env/env";
import { countLogLine } from "@/lib/platform/metrics/metrics";
import { requestNote } from "./request-note";

/**
 * JSON lines on standard output. Values that must not be printed are `Secret` and print as "[secret]" by themselves;
 * the list below is the second line of defence, against a foreign object that is logged whole.
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

const warn = 40;

/** Every line during a request names the request, the person and the address; the line's own values win. */
function requestFields(_line: object, level: number): object {
  if (level >= warn) countLogLine(pino.levels.labels[level] ?? "unknown");
  const note = requestNote();
  if (!note) return {};
  const { requestId, userId, clientAddress } = note;
  return {
    requestId,
    ...(userId !== null && { userId }),
    ...(clientAddress !== null && { clientAddress }),
  };
}

/** `to` and `level` are for tests. */
export function createLog(to?: DestinationStream, level = logLevel()): Logger {
  const options = {
    level,
    base: null,
    mixin: requestFields,
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
