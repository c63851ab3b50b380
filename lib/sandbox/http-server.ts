import { createServer, STATUS_CODES, type Server } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Logger } from "pino";
import type { SandboxEnv } from "./sandbox-env";

type Fetch = (request: Request, bindings: SandboxEnv["Bindings"]) => Response | Promise<Response>;

/** An HTTP server whose own refusals, of what is not even a request, are JSON and logged like all others. */
export function createHttpServer(fetch: Fetch, log: Logger): Server {
  const listener = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    errorHandler(error) {
      const status = error instanceof RequestError ? 400 : 500;
      log[status === 500 ? "error" : "info"]({ status, reason: String(error) }, "request");
      return Response.json({ error: STATUS_CODES[status] }, { status });
    },
  });
  const server = createServer(
    // The listener looks for a Host itself, and says so in JSON.
    { headersTimeout: 10_000, requestTimeout: 30_000, requireHostHeader: false },
    listener,
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const status = statusOf[error.code ?? ""] ?? 400;
    log.info({ status, reason: error.code }, "request");
    if (!socket.writable) return;
    const body = JSON.stringify({ error: STATUS_CODES[status] });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return server;
}

/** Node's names for what it cannot take as a request; all others are 400. */
const statusOf: Partial<Record<string, 408 | 413 | 431>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};
