import "server-only";
import net from "node:net";
import { Client, type Dispatcher, type buildConnector, errors } from "undici";
import type { CallLimits } from "./caller";
import type { Deadline } from "@/lib/platform/runtime/deadline";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { BodyCollector } from "@/lib/platform/runtime/bounded-body";
import tls from "node:tls";
import { errorCode, networkErrorOf, type NetworkError } from "@/lib/platform/runtime/network-error";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

export type WireRequest = {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string>;
  body: string | null;
  /** Bytes of a 200, after decompression; any other answer gets the small limit. */
  bodyLimit: number;
};

export type WireAnswer =
  | { kind: "answered"; status: number; headers: WireHeaders; body: WireBody }
  /** `sent` is false only where it is certain that no byte of the request left. */
  | { kind: "failed"; code: FaultCode; sent: boolean };

type WireHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/** `ca` as in `connector`. */
type TransportOptions = {
  limits: Pick<CallLimits, "connectMs" | "otherBodyBytes">;
  ca?: string | undefined;
  /** Not begun after this, on `performance.now()`. */
  notAfter?: number;
  /** Called just before the first byte leaves. */
  onSend?: (() => void) | undefined;
};

/**
 * Sends one request and reads its answer, by the deadline. Never throws for faults of the other side, follows no
 * redirect, retries nothing.
 *
 * Each request has a separate connection. That costs a handshake, and gives three certainties: whether a byte of a
 * write can have left, that a write does not meet a closing connection, and that one partner's answer cannot be read as
 * another's.
 */
export async function send(
  request: WireRequest,
  deadline: Deadline,
  options: TransportOptions,
): Promise<WireAnswer> {
  const answer = await exchange(request, deadline, options);
  if (answer.kind === "failed" || answer.body.state !== "whole") return answer;
  const encoding = header(answer.headers, "content-encoding");
  const limit = bodyLimit(request, options, answer.status);
  return { ...answer, body: await decodeBody(answer.body.bytes, encoding, limit) };
}

/** The value of a header, joined if it was repeated. */
export function header(headers: WireHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The reason for destroying a client; undici would make one, with its stack, for each. */
const over = new Error("the exchange is over");

function bodyLimit(request: WireRequest, { limits }: TransportOptions, status: number): number {
  return status === 200 ? request.bodyLimit : limits.otherBodyBytes;
}

function exchange(
  request: WireRequest,
  deadline: Deadline,
  options: TransportOptions,
): Promise<WireAnswer> {
  const { method, url, headers, body } = request;
  if (deadline.signal.aborted) {
    return Promise.resolve({ kind: "failed", code: "upstream_timeout", sent: false });
  }
  return new Promise((resolve) => {
    let socket: net.Socket | undefined;
    let sent = false;
    let finished = false;
    let head: { status: number; headers: WireHeaders } | undefined;
    let collector = new BodyCollector(0);

    const client = new Client(url.origin, {
      connect: connector({
        timeoutMs: options.limits.connectMs,
        ca: options.ca,
        onSocket: (created) => {
          socket = created;
        },
      }),
      // One request a connection.
      pipelining: 0,
      // The deadline is the only timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
    });

    const finish = (answer: WireAnswer) => {
      if (finished) return;
      finished = true;
      deadline.signal.removeEventListener("abort", late);
      void client.destroy(over);
      socket?.destroy();
      resolve(answer);
    };
    const answered = (state: WireBody) => {
      if (head) finish({ kind: "answered", ...head, body: state });
    };
    const late = () => {
      if (head) answered({ state: "late" });
      else finish({ kind: "failed", code: "upstream_timeout", sent });
    };
    deadline.signal.addEventListener("abort", late, { once: true });

    client.dispatch(
      { method, path: url.pathname + url.search, headers, body },
      {
        // Called when the connection is open, just before the first byte is written.
        onRequestStart(controller) {
          if (performance.now() > (options.notAfter ?? Infinity)) {
            controller.abort(new Error("too late to begin"));
            finish({ kind: "failed", code: "upstream_timeout", sent: false });
            return;
          }
          sent = true;
          options.onSend?.();
        },
        onResponseStart(_controller, status, responseHeaders) {
          // 1xx is informational.
          if (status < 200) return;
          head = { status, headers: responseHeaders };
          collector = new BodyCollector(bodyLimit(request, options, status));
        },
        onResponseData(_controller, piece) {
          if (!collector.add(piece)) answered({ state: "too_large" });
        },
        onResponseEnd() {
          answered({ state: "whole", bytes: collector.collected });
        },
        onResponseError(_controller, error) {
          if (head) answered({ state: "cut" });
          else finish({ kind: "failed", code: classifyTransportError(error), sent });
        },
      },
    );
  });
}

type Options = {
  /** Name, TCP and TLS together, milliseconds. */
  timeoutMs: number;
  /** PEM certificates to trust instead of the ones that Node knows. */
  ca?: string | undefined;
  /** Hands over the socket as soon as it exists, so that it can be destroyed before it is connected. */
  onSocket: (socket: net.Socket) => void;
};

/**
 * How undici reaches the payment service. Our own, because undici's counts its timeout in steps of half a second, and
 * remembers TLS sessions: a remembered session is not verified again.
 */
function connector({ timeoutMs, ca, onSocket }: Options): buildConnector.connector {
  return ({ protocol, hostname, port }, callback) => {
    const secure = protocol === "https:";
    const address = { host: hostname, port: Number(port) || (secure ? 443 : 80) };
    const socket = secure
      ? tls.connect({
          ...address,
          // An IP address takes no SNI; the certificate is checked against `host` then.
          ...(net.isIP(hostname) === 0 ? { servername: hostname } : {}),
          ...(ca === undefined ? {} : { ca }),
          ALPNProtocols: ["http/1.1"],
          // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing here.
          rejectUnauthorized: true,
        })
      : net.connect(address);
    onSocket(socket);
    socket.setNoDelay(true);

    const fail = (error: Error) => {
      clearTimeout(timer);
      callback(error, null);
    };
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error("connect timeout"), { code: "ETIMEDOUT" }));
    }, timeoutMs);
    socket.once("error", fail);
    // Destroyed from outside, which is no error: clears the timer.
    socket.once("close", () => {
      clearTimeout(timer);
    });
    socket.once(secure ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      socket.removeListener("error", fail);
      callback(null, socket);
    });
  };
}

const faults: Record<NetworkError, FaultCode> = {
  refused: "connection_refused",
  unreachable: "connection_failed",
  timed_out: "upstream_timeout",
  name_not_found: "name_not_found",
  certificate_expired: "certificate_expired",
  // Not valid today either; the remedy, dates that include today, is the same.
  certificate_not_yet_valid: "certificate_expired",
  certificate_wrong_name: "certificate_wrong_name",
  certificate_self_signed: "certificate_untrusted",
  certificate_untrusted: "certificate_untrusted",
};

/** Of undici. */
const badResponses = ["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"];

/**
 * The fault for an error of the transport. An unknown error, and a TLS handshake that fails for another reason than the
 * certificate, is `connection_failed`.
 */
export function classifyTransportError(error: unknown): FaultCode {
  // One error for each address that was tried; "no route to IPv6" says less than the others.
  if (error instanceof AggregateError) {
    const codes = error.errors.map(classifyTransportError);
    return codes.find((code) => code !== "connection_failed") ?? "connection_failed";
  }
  // The answer is not HTTP/1.1.
  if (error instanceof errors.HTTPParserError) return "bad_response";
  const code = errorCode(error) ?? "";
  if (badResponses.includes(code)) return "bad_response";
  const known = networkErrorOf(code);
  return known ? faults[known] : "connection_failed";
}

/** A body as far as it came. Only a whole one is ever read. */
export type WireBody =
  | { state: "whole"; bytes: Buffer }
  /** The connection broke, or the length does not fit. */
  | { state: "cut" }
  /** The deadline came first. */
  | { state: "late" }
  | { state: "too_large" }
  /** An encoding that we did not accept and do not know, or that does not decode. */
  | { state: "unreadable" };

const unzip = promisify(gunzip);

/**
 * Undoes a content encoding. We accept none (`identity`), but some intermediaries compress all the same; only gzip is
 * understood, and never beyond the limit, so that a bomb stays small.
 */
export async function decodeBody(
  bytes: Buffer,
  contentEncoding: string | undefined,
  limit: number,
): Promise<WireBody> {
  const encoding = (contentEncoding ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return { state: "whole", bytes };
  if (encoding !== "gzip" && encoding !== "x-gzip") return { state: "unreadable" };
  try {
    return { state: "whole", bytes: await unzip(bytes, { maxOutputLength: limit }) };
  } catch (error) {
    const tooLarge = errorCode(error) === "ERR_BUFFER_TOO_LARGE";
    return { state: tooLarge ? "too_large" : "unreadable" };
  }
}
