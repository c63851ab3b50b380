import { createServer, STATUS_CODES, type Server } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Logger } from "pino";
import type { SandboxEnv } from "./service";

type Fetch = (request: Request, bindings: SandboxEnv["Bindings"]) => Response | Promise<Response>;

/** An HTTP server whose refusals of malformed requests are JSON and logged like all others. */
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
    // Checked below, to answer in JSON.
    { headersTimeout: 10_000, requestTimeout: 30_000, requireHostHeader: false },
    (request, response) => {
      if (URL.canParse(`http://${request.headers.host ?? ""}`)) return listener(request, response);
      log.info({ status: 400, reason: "no Host" }, "request");
      response.writeHead(400, refusalHeaders(400)).end(refusal(400));
    },
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const status = statusOf[error.code ?? ""] ?? 400;
    log.info({ status, reason: error.code }, "request");
    if (!socket.writable) return;
    const headers = Object.entries(refusalHeaders(status)).map((header) => header.join(": "));
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers].join("\r\n");
    socket.end(`${head}\r\n\r\n${refusal(status)}`);
  });
  return server;
}

function refusal(status: number): string {
  return JSON.stringify({ error: STATUS_CODES[status] });
}

function refusalHeaders(status: number) {
  return {
    "Content-Type": "application/json",
    "Content-Length": refusal(status).length,
    Connection: "close",
  };
}

/** Node's names for what it cannot take as a request; all others are 400. */
const statusOf: Partial<Record<string, 408 | 413 | 431>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};
