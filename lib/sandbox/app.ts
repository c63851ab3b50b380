import { isPlainJson, parseStrictJson } from "@/lib/platform/http/read-body";
import contract from "@/lib/platform/payment-service/contract/openapi.json";
import {
  contractPaths,
  eventKinds,
  type Wire,
} from "@/lib/platform/payment-service/contract/terms";
import { readBounded, decodeUtf8 } from "@/lib/platform/runtime/bounded-body";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { readBasic, readBearer } from "./authorization-header";
import type { Client, ClientDirectory } from "./clients";
import { isTokenRequest, readRegistration } from "./registration";
import type { Store, StoredWebhook } from "./store";
import type { Tokens } from "./tokens";

/** The names under which list items may carry the Authorization value, section 2.2. */
export type AuthField = "auth_header" | "authorization" | "both";

/** What the operations of the contract work with. */
export type Service = {
  /** Called for every request: clients can change while the sandbox runs. */
  clients: () => ClientDirectory;
  tokens: Tokens;
  store: Store;
  authField: AuthField;
};

type Answer = {
  status: number;
  body: unknown;
  headers?: OutgoingHttpHeaders;
  /** The known client that the request names, proven or not; for the log. */
  client?: Client | undefined;
  /** Why it was refused; for the log, and may say more than the answer. */
  reason?: string;
};

type Operation = (request: IncomingMessage) => Answer | Promise<Answer>;

/** The whole interface: the three operations of the contract, and the document that describes them. */
function operationsOf(service: Service): Record<string, Record<string, Operation>> {
  const list: Operation = (request) => listWebhooks(service, request);
  const document: Operation = () => ({ status: 200, body: contract });
  return {
    [contractPaths.token]: { POST: (request) => createToken(service, request) },
    [contractPaths.webhooks]: {
      GET: list,
      HEAD: list,
      POST: (request) => registerWebhook(service, request),
    },
    "/openapi.json": { GET: document, HEAD: document },
  };
}

/** An HTTP server whose refusals of malformed requests are JSON and logged like all others. */
export function createApp(service: Service, log: Logger): Server {
  const operations = operationsOf(service);
  const answerTo = async (path: string, request: IncomingMessage): Promise<Answer> => {
    const found = Object.hasOwn(operations, path) ? operations[path] : undefined;
    if (!found) return refusal(404, "Not found");
    const operation = Object.hasOwn(found, request.method ?? "") && found[request.method ?? ""];
    if (operation) return operation(request);
    return refusal(405, "Method not allowed", { Allow: Object.keys(found).join(", ") });
  };
  const server = createServer(
    // The Host header is checked below, so that its refusal is JSON.
    { headersTimeout: 10_000, requestTimeout: 30_000, requireHostHeader: false },
    async (request, response) => {
      const started = performance.now();
      const { method, url = "", headers, socket } = request;
      const path = url.replace(/\?.*$/s, "");
      const isRequest = path.startsWith("/") && URL.canParse(`http://${headers.host ?? ""}`);
      const answer = isRequest
        ? await answerTo(path, request).catch((error: unknown): Answer => {
            log.error({ err: error }, "failure");
            return refusal(500, "Internal error");
          })
        : { ...refusal(400, "Bad Request"), headers: { Connection: "close" } };
      const body = JSON.stringify(answer.body);
      response.writeHead(answer.status, {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        "Cache-Control": "no-store",
        ...answer.headers,
      });
      response.end(body);
      // Chosen field by field: never a header, a query or a body, and a client id only once it is known to be one.
      log[answer.status >= 500 ? "error" : "info"](
        {
          method,
          path: path.slice(0, 200),
          status: answer.status,
          client_id: answer.client?.id,
          address: socket.remoteAddress,
          reason: answer.reason,
          ms: Math.round(performance.now() - started),
        },
        "request",
      );
    },
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const status = statusOf[error.code ?? ""] ?? 400;
    log.info({ status, reason: error.code }, "request");
    if (!socket.writable) return;
    const body = JSON.stringify({ error: STATUS_CODES[status] });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Connection: close",
    ].join("\r\n");
    socket.end(`${head}\r\n\r\n${body}`);
  });
  return server;
}

/** Node's codes for malformed requests; all others are 400. */
const statusOf: Partial<Record<string, 408 | 413 | 431>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** The error body of section 2.5. */
function refusal(status: number, error: string, headers: OutgoingHttpHeaders = {}): Answer {
  const body: Wire["Error"] = { error };
  return { status, body, headers, reason: error };
}

/** POST /api/oauth/token, section 4.1. */
async function createToken({ clients, tokens }: Service, request: IncomingMessage) {
  const access = accessByCredentials(clients(), request);
  if (!access.ok) return refuseAccess(access, 'Basic realm="token", charset="UTF-8"');

  const { client } = access;
  const body = await readJsonBody(request);
  if (!body.ok && body.status === 413) return { ...refusal(413, body.error), client };
  if (body.ok && isTokenRequest(body.value))
    return { status: 200, body: await tokens.issue(client.id), client };
  // Section 7.1 has only one error for bodies.
  const refused = refusal(400, "Unsupported grant type");
  return { ...refused, client, ...(!body.ok && { reason: body.error }) };
}

/** GET /api/v1/webhooks, section 4.2. */
async function listWebhooks(service: Service, request: IncomingMessage): Promise<Answer> {
  const access = await accessByToken(service, request);
  if (!access.ok) return refuseAccess(access, "Bearer");

  const { client } = access;
  const found = service.store.list(client.id);
  if (found.length === 0) return { ...refusal(404, "Configuration not found"), client };
  const body: Wire["WebhookList"] = {
    webhooks: found.map((webhook) => toWire(webhook, service.authField)),
  };
  return { status: 200, body, client };
}

function toWire(
  { type, callbackUrl, authorization }: StoredWebhook,
  authField: AuthField,
): Wire["WebhookConfiguration"] {
  return {
    type,
    callback_url: callbackUrl,
    ...(authorization !== null && authField !== "authorization" && { auth_header: authorization }),
    ...(authorization !== null && authField !== "auth_header" && { authorization }),
    events: [...eventKinds[type]],
  };
}

/** POST /api/v1/webhooks, section 4.3. */
async function registerWebhook(service: Service, request: IncomingMessage): Promise<Answer> {
  const access = await accessByToken(service, request);
  if (!access.ok) return refuseAccess(access, "Bearer");

  const { client } = access;
  const body = await readJsonBody(request);
  if (!body.ok) return { ...refusal(body.status, body.error), client };
  const reading = readRegistration(body.value);
  if (!reading.ok) return { ...refusal(400, reading.error), client };

  const done = service.store.register(client.id, reading.registration);
  const message: Wire["Message"] = { message: "Operation succeeded" };
  return { status: done === "created" ? 201 : 200, body: message, client };
}

/** `reason` is the name of section 7.1 where it has one; it is for the log, because all 401s answer the same. */
type Access =
  | { ok: true; client: Client }
  | { ok: false; status: 401 | 403; reason: string; client: Client | undefined };

/**
 * Authenticates a request for a token (section 5). Checks the address first: against the list of the named client or,
 * where none is named, all lists. Then the secret, and only with a correct one whether the user is active.
 */
function accessByCredentials(directory: ClientDirectory, request: IncomingMessage): Access {
  const { socket } = request;
  const basic = readBasic(headerOf(request, "authorization"));
  const client = basic.ok ? directory.find(basic.value.userId) : undefined;
  if (!directory.allowsAddress(client, socket.remoteAddress)) return notAllowed(client);
  if (!basic.ok) return unauthorized(basic.reason, client);
  const matches = directory.secretMatches(client, basic.value.password);
  if (!matches || !client) return unauthorized("Invalid credentials", client);
  return client.active ? { ok: true, client } : unauthorized("User inactive", client);
}

/**
 * Authenticates a later request (section 5), with the same order of checks. The token's client must still exist and be
 * active.
 */
async function accessByToken(
  { clients, tokens }: Service,
  request: IncomingMessage,
): Promise<Access> {
  const { socket } = request;
  const directory = clients();
  const bearer = readBearer(headerOf(request, "authorization"));
  const clientId = bearer.ok ? await tokens.verify(bearer.value) : null;
  const client = clientId === null ? undefined : directory.find(clientId);
  if (!directory.allowsAddress(client, socket.remoteAddress)) return notAllowed(client);
  if (!bearer.ok) return unauthorized(bearer.reason, client);
  if (!client) return unauthorized("Invalid or expired token", client);
  return client.active ? { ok: true, client } : unauthorized("User inactive", client);
}

function notAllowed(client: Client | undefined): Access {
  return { ok: false, status: 403, reason: "IP not whitelisted", client };
}

function unauthorized(reason: string, client: Client | undefined): Access {
  return { ok: false, status: 401, reason, client };
}

/** 401 says the same for every reason, as the sample body of section 7.1 does; 403 has the table's name. */
function refuseAccess(
  { status, reason, client }: Extract<Access, { ok: false }>,
  challenge: string,
): Answer {
  return status === 401
    ? { ...refusal(401, "unauthorized", { "WWW-Authenticate": challenge }), reason, client }
    : { ...refusal(403, reason), client };
}

/** Bytes; far above what the limits of section 8 allow a request to need. */
const maxBodyBytes = 16 * 1024;

type BodyReading =
  { ok: true; value: unknown } | { ok: false; status: 400 | 413 | 415; error: string };

/** Reads a request's JSON body. Never holds more than the limit, whatever the Content-Length says. */
async function readJsonBody(request: IncomingMessage): Promise<BodyReading> {
  if (!isPlainJson(headerOf(request, "content-type"), headerOf(request, "content-encoding")))
    return { ok: false, status: 415, error: "The content type must be application/json" };
  const error = `The body is over ${maxBodyBytes} bytes`;
  const tooLarge = { ok: false, status: 413, error } as const;
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return tooLarge;
  let bytes: Uint8Array | null;
  try {
    bytes = await readBounded(request, maxBodyBytes);
  } catch {
    // The connection ended first; nobody reads the answer, but the log does.
    return { ok: false, status: 400, error: "The body was cut short" };
  }
  if (!bytes) return tooLarge;
  try {
    return { ok: true, value: parseStrictJson(decodeUtf8(bytes) ?? "") };
  } catch {
    const error = "The body is not JSON in UTF-8, or repeats a key";
    return { ok: false, status: 400, error };
  }
}

/** Joins the values of a repeated header: Node would choose the first. */
function headerOf({ headersDistinct }: IncomingMessage, name: string): string | undefined {
  return headersDistinct[name]?.join(", ");
}
