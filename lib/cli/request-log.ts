import { clientAddressHeader } from "@/lib/platform/http/model/request-context";
import { log } from "@/lib/platform/log/log";
import {
  loggedPath,
  newRequestId,
  withRequestNote,
  type RequestNote,
} from "@/lib/platform/log/request-note";
import { countRequest } from "@/lib/platform/metrics/metrics";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import * as z from "zod";
import { root } from "./root";
import { inspect, stripVTControlCharacters } from "node:util";

const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Handles a request so that it has an id, one line in the log and one count in the metrics, whatever answers it. Route
 * handlers write the line themselves, since they know more; this writes it for pages, files and refusals.
 * `hasProxy`: X-Request-Id is the proxy's; ignored where it is malformed.
 */
export function trackRequest(
  request: IncomingMessage,
  response: ServerResponse,
  hasProxy: boolean,
  answer: () => void,
): void {
  const started = performance.now();
  const { pathname, route } = routeOf(request.url ?? "");
  const given = hasProxy ? request.headers["x-request-id"] : undefined;
  const note: RequestNote = {
    requestId: typeof given === "string" && requestIdPattern.test(given) ? given : newRequestId(),
    clientAddress: null,
    userId: null,
    isLogged: false,
    calls: [],
    lackedDatabase: false,
    isNotFound: false,
    isOver: false,
  };
  response.setHeader("x-request-id", note.requestId);
  response.once("close", () => {
    note.isOver = true;
    const ms = Math.round(performance.now() - started);
    const isWhole = response.writableFinished;
    const method = request.method ?? "";
    countRequest({ method, route, status: isWhole ? String(response.statusCode) : "aborted", ms });
    if (note.isLogged) return;
    const { requestId, userId, calls } = note;
    const line = {
      requestId,
      ...(userId !== null && { userId }),
      clientAddress: addressOf(request),
      method,
      path: loggedPath(pathname),
      status: response.statusCode,
      ms,
      ...(calls.length > 0 && { calls }),
      ...(!isWhole && { aborted: true }),
    };
    // Nobody reads about what the browser fetches by itself.
    if (isAutomatic(request, route) && response.statusCode < 400) log.debug(line, "request");
    else log.info(line, "request");
  });
  withRequestNote(note, answer);
}

/** As `cleanHeaders` found it; null before that. */
export function addressOf({ headers }: IncomingMessage): string | null {
  const address = headers[clientAddressHeader];
  return typeof address === "string" ? address : null;
}

function isAutomatic({ headers }: IncomingMessage, route: string): boolean {
  return route === "file" || headers["next-router-prefetch"] !== undefined;
}

/** As the framework resolves it: `/api/../sign-in` and `/api/%2e%2e/sign-in` are pages. */
export function pathOf(address: string): string {
  const url = `http://localhost${address}`;
  return URL.canParse(url) ? new URL(url).pathname : "";
}

/** The route of the build that matches, as the log and the metrics name it: one of few values for any address. */
function routeOf(address: string): { pathname: string; route: string } {
  const pathname = pathOf(address);
  if (/^\/(?:_next\/|icons\/|brand\/|favicon\.ico$)/.test(pathname))
    return { pathname, route: "file" };
  const found = routes().find(({ pattern }) => pattern.test(pathname));
  return { pathname, route: found?.page ?? "unknown" };
}

const manifest = z.object({
  staticRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
  dynamicRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
});

let known: { page: string; pattern: RegExp }[] | undefined;

/** The routes of the build, in the order in which it tries them; none in development. */
function routes() {
  const file = path.join(root, ".next", "routes-manifest.json");
  if (known || !existsSync(file)) return (known ??= []);
  const { data } = manifest.safeParse(JSON.parse(readFileSync(file, "utf8")));
  const all = [...(data?.staticRoutes ?? []), ...(data?.dynamicRoutes ?? [])];
  return (known = all.map(({ page, regex }) => ({ page, pattern: new RegExp(regex) })));
}

const methods = {
  debug: "debug",
  log: "info",
  info: "info",
  warn: "warn",
  error: "error",
} as const;

/** Longer than any message of the framework's. */
const maxLineLength = 4_000;

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
        const text = words.join(" ").trim().slice(0, maxLineLength);
        log[level as (typeof methods)[keyof typeof methods]](
          { source: "framework", ...(err && { err }) },
          text || "an error outside Gancho's own code",
        );
      },
    });
  process.removeAllListeners("warning");
  process.on("warning", (err) => log.warn({ source: "node", err }, "a warning"));
  process.on("uncaughtExceptionMonitor", (err) =>
    log.fatal({ err }, "an exception that nothing caught"),
  );
  return print;
}

function wordsOf(part: unknown): string {
  return stripVTControlCharacters(typeof part === "string" ? part : inspect(part, { depth: 2 }));
}
