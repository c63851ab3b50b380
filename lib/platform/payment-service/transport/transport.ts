import "server-only";
import { type Dispatcher, errors } from "undici";
import type { Opened } from "@/lib/platform/egress/open";
import type { Deadline } from "@/lib/platform/runtime/deadline";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { BodyCollector } from "@/lib/platform/runtime/bounded-body";
import {
  Connection,
  everythingRead,
  openTo,
  type EarlyConnection,
  type HowToConnect,
} from "./connection";
import type { KeptPlace } from "./kept";
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

type TransportOptions = HowToConnect & {
  /** Bytes of any answer but a 200. */
  otherBodyBytes: number;
  /** How long a kept connection stays open without a request, milliseconds. */
  keptMs: number;
};

type WriteOptions = TransportOptions & {
  /** One that was opened ahead. */
  early?: EarlyConnection | null | undefined;
  /** Not begun after this, on `performance.now()`. */
  notAfter?: number;
  /** Called just before the first byte leaves. */
  onSend?: (() => void) | undefined;
};

/**
 * Sends one request on a connection of its own and reads its answer, by the deadline. Never throws for faults of the
 * other side, follows no redirect, sends nothing again.
 *
 * Every write is sent like this. It costs a handshake, and gives the certainty whether a byte of it can have left: it
 * does not meet a connection that the service is closing.
 */
export async function send(
  request: WireRequest,
  deadline: Deadline,
  options: WriteOptions,
): Promise<WireAnswer> {
  const early = (await options.early?.take(request.url, deadline.signal)) ?? null;
  const connection = early ?? (await open(request, deadline, options, 0));
  if ("kind" in connection) return connection;
  const { answer } = await exchange(connection, request, deadline, options);
  connection.close();
  return decoded(answer, request, options);
}

/**
 * Sends a read over its owner's kept connection, or over a new one that is kept from then on. A read that fails on a kept
 * connection before a byte of its answer is sent once more, on a new one: the service may have closed the old one
 * meanwhile.
 */
export async function sendOnKept(
  request: WireRequest,
  deadline: Deadline,
  options: TransportOptions,
  place: KeptPlace,
): Promise<WireAnswer> {
  const { connection: kept } = place;
  if (kept) {
    // undici reads what has arrived before it sends: an answer to nothing closes the connection.
    const { answer, isUnheard } = await exchange(kept, request, deadline, options);
    if (!isUnheard) return settled(kept, answer);
  }
  kept?.close();
  const opened = await open(request, deadline, options, options.keptMs);
  if (opened instanceof Connection)
    return settled(opened, (await exchange(opened, request, deadline, options)).answer);
  place.giveBack(null);
  return opened;

  async function settled(connection: Connection, answer: WireAnswer): Promise<WireAnswer> {
    const isWhole = answer.kind === "answered" && answer.body.state === "whole";
    if (!isWhole) connection.close();
    // Where more comes than was asked for, nobody can tell which of the answers is ours.
    else if (connection.isOpen) await everythingRead();
    place.giveBack(connection);
    if (isWhole && connection.heardUnasked)
      return { kind: "failed", code: "bad_response", sent: true };
    return decoded(answer, request, options);
  }
}

async function decoded(
  answer: WireAnswer,
  request: WireRequest,
  options: TransportOptions,
): Promise<WireAnswer> {
  if (answer.kind === "failed" || answer.body.state !== "whole") return answer;
  const encoding = header(answer.headers, "content-encoding");
  const limit = bodyLimit(request, options, answer.status);
  return { ...answer, body: await decodeBody(answer.body.bytes, encoding, limit) };
}

async function open(
  { url }: WireRequest,
  deadline: Deadline,
  how: HowToConnect,
  keptMs: number,
): Promise<Connection | Extract<WireAnswer, { kind: "failed" }>> {
  if (deadline.signal.aborted) return { kind: "failed", code: "upstream_timeout", sent: false };
  const opened = await openTo(url, how, deadline.signal);
  if (opened.ok) return new Connection(url.origin, opened.socket, keptMs);
  return { kind: "failed", code: faultOf(opened), sent: false };
}

function faultOf({ because, stage, isProxied }: Extract<Opened, { ok: false }>): FaultCode {
  if (typeof because !== "string") return classifyTransportError(because.error);
  if (because !== "timed_out") return because;
  // It may be the proxy or what it calls: what was seen is a proxy that opened nothing.
  return isProxied && stage === "connect" ? "proxy_failed" : "upstream_timeout";
}

/** The value of a header, joined if it was repeated. */
export function header(headers: WireHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function bodyLimit(
  request: WireRequest,
  { otherBodyBytes }: TransportOptions,
  status: number,
): number {
  return status === 200 ? request.bodyLimit : otherBodyBytes;
}

/** `isUnheard`: it failed before a byte of its answer, and not because time was up. */
type Exchanged = { answer: WireAnswer; isUnheard: boolean };

/** Any informational answer counts as heard. undici calls the first of these, and does not declare it. */
type Handler = Dispatcher.DispatchHandler & { onResponseStarted: () => void };

function exchange(
  { client }: Connection,
  request: WireRequest,
  deadline: Deadline,
  options: WriteOptions,
): Promise<Exchanged> {
  const { method, url, headers, body } = request;
  return new Promise((resolve) => {
    let sent = false;
    let finished = false;
    let heard = false;
    let head: { status: number; headers: WireHeaders } | undefined;
    let collector = new BodyCollector(0);

    const finish = (answer: WireAnswer, isUnheard = false) => {
      if (finished) return;
      finished = true;
      deadline.signal.removeEventListener("abort", late);
      resolve({ answer, isUnheard });
    };
    const answered = (state: WireBody) => {
      if (head) finish({ kind: "answered", ...head, body: state });
    };
    const late = () => {
      if (head) answered({ state: "late" });
      else finish({ kind: "failed", code: "upstream_timeout", sent });
    };
    if (deadline.signal.aborted) return late();
    deadline.signal.addEventListener("abort", late, { once: true });

    const handler: Handler = {
      // Called when the connection is open, just before the first byte is written.
      onRequestStart(controller) {
        if (performance.now() > (options.notAfter ?? Infinity)) {
          controller.abort(new Error("too late to begin"));
          finish({ kind: "failed", code: "upstream_timeout", sent: false });
          return;
        }
        // After its end, a request that still waits must not leave.
        if (finished) return controller.abort(new Error("too late to begin"));
        sent = true;
        options.onSend?.();
      },
      onResponseStarted() {
        heard = true;
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
        if (head) return answered({ state: "cut" });
        const code = classifyTransportError(error);
        finish({ kind: "failed", code, sent }, !heard && code !== "bad_response");
      },
    };
    client.dispatch({ method, path: url.pathname + url.search, headers, body }, handler);
  });
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
