import { errorCode } from "@/lib/platform/runtime/network-error";
import { isLoopback } from "@/lib/platform/env/is-loopback";
import { decodes } from "@/lib/platform/env/variables";
import { databaseRetryAfter } from "@/lib/platform/http/model/problem";
import { log } from "@/lib/platform/log/log";
import { requestNote } from "@/lib/platform/log/request-note";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import { CliError } from "./failure";
import { cleanHeaders } from "./clean-headers";
import { descriptorsLeft } from "./descriptors";
import { refuse } from "./refuse";
import { addressOf, pathOf, trackRequest } from "./request-log";
import { SessionRateLimit, type RequestsPerMinute } from "./session-rate-limit";

type Options = {
  port: number;
  /** The address that is listened on; null: all of this machine's. */
  host: string | null;
  /** The dashboard's address; one on this machine is not offered to others. */
  url: URL;
  trustedProxyHops: number;
  /** Left out: without a limit. */
  requestsPerMinute?: RequestsPerMinute;
  /** Whether to offer the framework's development tools, which switch to another protocol and have their own routes. */
  development: boolean;
};

type DashboardServers = {
  /** For the framework's second protocol. */
  first: Server;
  /**
   * Resolves when `handler` can be reached from everywhere, and from nowhere before. Throws `CliError` when the port is
   * not available.
   */
  listen: (handler: RequestListener) => Promise<Server[]>;
};

/** Our bodies are below 16 KiB; this bounds what any part of the framework could be made to read. */
const maxBodyBytes = 256 * 1024;

/** The framework fails over some others, such as TRACE. */
const routeMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Pages and files are for reading; the framework would render a page for any other method, too. */
const pageMethods = ["GET", "HEAD"];

/** For two years, in seconds; subdomains of the dashboard's host belong to its operator as well. */
const hsts = "max-age=63072000; includeSubDomains";

const refusal = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** Far more than browsers and proxies send. */
const maxHeaders = 100;

/**
 * File descriptors that clients' connections leave free: for what a request opens, and for connections on which it can
 * be said that none are left. Without them a request would fail somewhere on its way.
 */
const reserved = { forWork: 64, forAnswers: 32 };

/** Milliseconds from one warning to the next. */
const warnEveryMs = 60_000;

/** How long a client may go on sending a body after it was answered, or send nothing where descriptors are short. */
const lingerMs = 1_000;

const limits = {
  // Far above a browser's, and bounded: a client that sends one byte a second holds a socket, not a handler.
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  // Longer than the idle time of usual load balancers, so that they are the ones to hang up.
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
};

/** Servers that do not listen yet: the framework needs one of them before it can answer. */
export function dashboardServers(options: Options): DashboardServers {
  const { port, host, url } = options;
  let handle: RequestListener | undefined;
  const create = () =>
    createDashboardServer(options, (request, response) => handle?.(request, response));
  const first = create();
  const listenWith = async (handler: RequestListener) => {
    handle = handler;
    if (host !== null || !isLoopback(url)) return [await listen(first, port, host ?? undefined)];
    await listen(first, port, "127.0.0.1");
    // "localhost" may be either family; a machine without IPv6 has only the first.
    const second = create();
    second.on("upgrade", (...event) => first.emit("upgrade", ...event));
    try {
      return [first, await listen(second, port, "::1")];
    } catch (error) {
      if (error instanceof CliError) throw error;
      return [first];
    }
  };
  return { first, listen: listenWith };
}

/**
 * Finds out early why listening would fail. Throws `CliError`. Binds the port to a client's end of a connection: if it
 * listened even for a moment, a proxy would take it for an instance that serves.
 */
export async function requireAddress({ port, host, url }: Options): Promise<void> {
  const address = host ?? (isLoopback(url) ? "127.0.0.1" : "0.0.0.0");
  const anyPort = 9;
  const bound = connect({ host: address, port: anyPort, localAddress: address, localPort: port });
  const [error] = (await once(bound, "connect").catch((thrown: unknown) => [thrown])) as [unknown];
  bound.resetAndDestroy();
  const isOwn = error instanceof Error && "syscall" in error && error.syscall === "bind";
  if (isOwn) throw notListening(error, { port, host: address });
}

function createDashboardServer(
  { url, trustedProxyHops, requestsPerMinute, development }: Options,
  handle: RequestListener,
): Server {
  const rateLimit = requestsPerMinute && new SessionRateLimit(requestsPerMinute, url);
  const server = createServer(limits, (request, response) =>
    trackRequest(request, response, trustedProxyHops > 0, () => answer(request, response)),
  );
  server.on("request", closeAfterAnswer);
  server.on("connection", (socket) => {
    const left = descriptorsLeft();
    if (left < reserved.forAnswers) socket.destroy();
    // It is told that none are left, and keeps nobody else from being told.
    else if (left < reserved.forWork)
      setTimeout(() => socket.bytesRead === 0 && socket.destroy(), lingerMs).unref();
  });
  const answer: RequestListener = (request, response) => {
    response.setHeader("x-content-type-options", "nosniff");
    if (url.protocol === "https:") response.setHeader("strict-transport-security", hsts);
    const bodyBytes = Number(request.headers["content-length"] ?? 0);
    // RFC 9110, section 9.3.1: a GET has none, and the framework would copy it.
    const hasBody = bodyBytes > 0 || request.headers["transfer-encoding"] !== undefined;
    if (hasBody && pageMethods.includes(request.method ?? "")) {
      response.writeHead(400, { connection: "close" }).end();
      return;
    }
    if (bodyBytes > maxBodyBytes) {
      response.writeHead(413, { connection: "close" }).end();
      return;
    }
    // Node silently drops headers beyond this limit, and a proxy appends the client's address at the end.
    if (request.rawHeaders.length > 2 * maxHeaders) {
      response.writeHead(431, { connection: "close" }).end();
      return;
    }
    const address = request.url ?? "";
    const path = pathOf(address);
    const ofRoute = /^\/(?:api|in)\//.test(path);
    if (descriptorsLeft() < reserved.forWork) {
      warnOverloaded();
      response.setHeader("connection", "close");
      refuse(response, "overloaded", { isData: ofRoute, retryAfter: databaseRetryAfter });
      return;
    }
    if (!ofRoute) statusOfPage(response);
    const methods = development || ofRoute ? routeMethods : pageMethods;
    if (!methods.includes(request.method ?? "")) {
      response.writeHead(405, { allow: methods.join(", "), connection: "close" }).end();
      return;
    }
    // The framework fails over an escape that is not valid.
    if (!address.startsWith("/") || !decodes(address)) {
      response.writeHead(400, { connection: "close" }).end();
      return;
    }
    cleanHeaders(request, trustedProxyHops);
    const note = requestNote();
    if (note) note.clientAddress = addressOf(request);
    // The port is closed: a proxy that keeps connections open sends the next request elsewhere.
    if (!server.listening) response.setHeader("connection", "close");
    const isFile = path.startsWith("/_next/static/");
    if (isFile || !rateLimit || rateLimit.allows(request, response, ofRoute ? "data" : "pages"))
      handle(request, response);
  };
  server.maxHeadersCount = maxHeaders;
  // Only development has a second protocol; otherwise the framework would keep such connections waiting.
  if (!development)
    server.prependListener("upgrade", (_request, socket) => {
      // Node no longer listens, and a client that resets the connection would end the process.
      socket.on("error", () => socket.destroy());
      socket.end(refusal, () => socket.destroy());
    });
  return server;
}

/**
 * Node reads and drops whatever body follows after the answer, until its deadline for whole requests. A client that was
 * still sending when it got the answer has a moment to end, so that the connection can go on.
 */
function closeAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  // Now: a reader that gives up takes it away from the request.
  const { socket } = request;
  response.once("finish", () => {
    if (request.complete) return;
    setTimeout(() => {
      if (!request.complete) socket.destroy();
    }, lingerMs).unref();
  });
}

let warnedAt = -Infinity;

function warnOverloaded(): void {
  if (performance.now() - warnedAt < warnEveryMs) return;
  warnedAt = performance.now();
  log.warn(
    "requests are refused: too few file descriptors are free; raise LimitNOFILE, or find who connects",
  );
}

/**
 * The framework answers every page that fails with 500, also one that could not read the database; and every page that
 * is drawn with 200, also one that says that nothing is there. Its data stay 200: where a link leads there, its script
 * would load the page once more.
 */
function statusOfPage(response: ServerResponse): void {
  const note = requestNote();
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const isAway = status === 500 && note?.lackedDatabase;
    if (isAway) response.setHeader("retry-after", databaseRetryAfter);
    const isPage = String(response.getHeader("content-type")).startsWith("text/html");
    const isNotFound = status === 200 && isPage && note?.isNotFound;
    return writeHead(isAway ? 503 : isNotFound ? 404 : status, ...rest);
  };
}

/** `names`: of the variables that set host and port. Throws `CliError` when the port cannot be had. */
export async function listen(
  server: Server,
  port: number,
  host: string | undefined,
  names?: { port: string; host: string },
): Promise<Server> {
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await once(server, "listening");
    // Such as that the process has no file descriptor left. It goes on listening.
    server.on("error", (err) => log.error({ err }, "a connection could not be accepted"));
    return server;
  } catch (error) {
    throw notListening(error, { port, host }, names);
  }
}

/** As `CliError`, where a person can do something about it. */
function notListening(
  error: unknown,
  { port, host }: { port: number; host: string | undefined },
  names = { port: "PORT", host: "GANCHO_HOST" },
): unknown {
  const code = errorCode(error);
  if (code === "EADDRINUSE")
    return new CliError(
      `port ${port} is taken: stop the program that uses it, or set ${names.port} to another`,
    );
  if (code === "EADDRNOTAVAIL")
    return new CliError(`${names.host} ${host} is not an address of this machine: set one that is`);
  if (code === "EACCES")
    return new CliError(`port ${port} is reserved for root: set ${names.port} to one above 1023`);
  return error;
}
