import "server-only";
import { errorCode, networkErrorOf } from "@/lib/platform/runtime/network-error";
import type { EgressFailure } from "@/lib/platform/egress/model/failures";
import type { Secret } from "@/lib/platform/runtime/secret";
import { Resolver } from "node:dns/promises";
import http from "node:http";
import net from "node:net";
import {
  type HostList,
  listsAddress,
  listsName,
  isLoopbackAddress,
  isPublicAddress,
} from "./address";
import { openConnection, type Opened, type Proxy, type TlsFacts } from "./open";

/** Codes that have a meaning only here. */
const byCode: Readonly<Record<string, EgressFailure>> = {
  EADDRNOTAVAIL: "unreachable",
  EACCES: "unreachable",
  EPERM: "unreachable",

  ERR_SSL_WRONG_VERSION_NUMBER: "not_tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "not_tls",
  ERR_SSL_HTTP_REQUEST: "not_tls",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "tls_version",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "tls_version",
  ERR_SSL_VERSION_TOO_LOW: "tls_version",

  HPE_HEADER_OVERFLOW: "head_too_large",
};

/**
 * What a server says in TLS of a client's certificate. Gancho presents none, so it demands one. In TLS 1.3 it says so after
 * the handshake; in TLS 1.2 many say "handshake failure", as they do of other things.
 */
const aboutOurCertificate =
  /ALERT_(?:CERTIFICATE_(?:REQUIRED|UNKNOWN)|(?:BAD|NO|UNSUPPORTED)_CERTIFICATE|UNKNOWN_CA)$/;

export type Stage = "connect" | "tls" | "answer";

const fallback: Record<Stage, EgressFailure> = {
  connect: "unreachable",
  tls: "tls_failed",
  answer: "closed_early",
};

function failureOf(error: Error, stage: Stage): EgressFailure {
  const code = errorCode(error) ?? "";
  const known = networkErrorOf(code);
  // The name was resolved before, and the time is our own.
  if (known && known !== "name_not_found" && known !== "timed_out") return known;
  if (aboutOurCertificate.test(code)) return "client_certificate";
  return byCode[code] ?? (code.startsWith("HPE_") ? "not_http" : fallback[stage]);
}

/**
 * The only file that connects to an address that a person wrote; the linter enforces it. Its only entrance is
 * `findEndpoint`. It resolves the name once, checks every address, chooses one, and sends everything to that one, over
 * TLS that is verified for the name. Follows no redirects. Of the answer, only status, times, TLS version, the
 * certificate's names and dates and a redirect's host leave this file.
 */
export type EgressRules = {
  /** Gancho's machines, and those that the operator named. */
  deny: HostList;
  /** All connections go through it, and it resolves names. */
  proxy: Proxy | null;
  /** In the demo: the port of its receivers on this machine. It refuses anything else here too. */
  loopbackPort: number | null;
  /** The origin at which Gancho itself receives for partners: below `/in/` there, a check may go to Gancho. */
  receives?: string | null;
  /** For tests: trusted certificates, and a replacement for the network. */
  ca?: string;
  resolve?: (name: string) => Promise<string[]>;
  dial?: (to: { host: string; port: number }) => net.Socket;
  limits?: Partial<typeof defaultLimits>;
};

/** Of the addresses of a name, which may have thousands. All of them are checked. */
const maxReported = 16;

const defaultLimits = {
  /** Milliseconds: of the name; of TCP and TLS together; of one exchange in all. */
  nameMs: 3_000,
  connectMs: 3_000,
  exchangeMs: 10_000,
  /** Everything before the body, announcements (1xx) included; and the body, as it comes over the wire. */
  headBytes: 16 * 1024,
  bodyBytes: 64 * 1024,
};

type Post = { body: string; userAgent: string; authorization: Secret | null };

export type Exchange = {
  /** The facts about TLS, also where it failed; null without a connection. */
  tls: TlsFacts | null;
  outcome:
    | {
        kind: "answered";
        status: number;
        /** Where a redirect points to. */
        redirectHost: string | null;
        /** From the request to the head of the answer. */
        ms: number;
        /** False: its body went on beyond the limit, or stopped half-way. */
        complete: boolean;
      }
    | { kind: "failed"; stage: Stage; because: EgressFailure; ms: number };
};

export type Endpoint =
  | {
      found: true;
      /** null: the proxy resolves. */
      addresses: readonly string[] | null;
      ms: number;
      /** One request on a separate connection; never retried. Does not reject. */
      post: (post: Post) => Promise<Exchange>;
    }
  | { found: false; because: EgressFailure; ms: number };

/**
 * Resolves and checks the host of `url`, once. The returned `post` sends there, whatever the name resolves to later.
 */
export async function findEndpoint(url: string, rules: EgressRules): Promise<Endpoint> {
  const began = performance.now();
  const ms = () => since(began);
  const refuse = (because: EgressFailure): Endpoint => ({ found: false, because, ms: ms() });

  const target = URL.canParse(url) ? new URL(url) : null;
  if (target?.protocol !== "https:" || target.username || target.password || !target.hostname)
    return refuse("bad_address");
  const port = Number(target.port || 443);
  const name = target.hostname.replace(/^\[|\]$/g, "");
  if (badPorts.has(port)) return refuse("bad_port");

  const isReceiving = target.origin === rules.receives && target.pathname.startsWith("/in/");
  const isOurDemo = port === rules.loopbackPort;
  const judge = (address: string): EgressFailure | null => {
    if (isOurDemo && isLoopbackAddress(address)) return null;
    if (!isPublicAddress(address)) return "not_public";
    return !isReceiving && listsAddress(address, rules.deny) ? "denied" : null;
  };
  const isLiteral = net.isIP(name) !== 0;
  const isLocal = /(?:^|\.)localhost$/.test(name);
  const mayBeNamed = isLiteral || isReceiving || (isOurDemo && isLocal);
  if (!mayBeNamed && listsName(name, rules.deny)) return refuse("denied");
  // A proxy that resolves would take this name for its own machine.
  if (rules.proxy && !isLiteral && !isLocal)
    return endpoint({ target, name, port, address: null }, null);

  // This machine by definition (RFC 6761), whatever a name server answers.
  const known = isLiteral ? [name] : isLocal ? ["127.0.0.1"] : null;
  const resolved = known ?? (await resolveOnce(name, rules));
  if (!Array.isArray(resolved)) return refuse(resolved.because);
  // All of them have to be allowed: which one the payment service would use is unknown.
  for (const address of resolved) {
    const because = judge(address);
    if (because) return refuse(because);
  }
  // IPv4 where there is one: a machine without a route to IPv6 still resolves names to it.
  const address = resolved.find((each) => net.isIP(each) === 4) ?? resolved[0];
  if (address === undefined) return refuse("name_not_found");
  return endpoint({ target, name, port, address }, resolved);

  function endpoint(to: Target, addresses: readonly string[] | null): Endpoint {
    return {
      found: true,
      addresses: addresses && addresses.slice(0, maxReported),
      ms: ms(),
      post: (post) => exchange(to, post, rules),
    };
  }
}

/** `address`: the chosen one; null: the proxy gets the name. */
type Target = { target: URL; name: string; port: number; address: string | null };

/** By DNS alone: no hosts file, no search domain, and no thread of the pool that a slow name server could hold. */
async function resolveOnce(
  name: string,
  { resolve, limits }: EgressRules,
): Promise<string[] | { because: EgressFailure }> {
  if (resolve) return resolve(name);
  const { nameMs } = { ...defaultLimits, ...limits };
  const resolver = new Resolver({ timeout: nameMs / 2, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), nameMs);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(timer);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const isUnsure = answers.some(
    (answer) => answer.status === "rejected" && !isNoSuchName(answer.reason),
  );
  if (found.length > 0) return found;
  return { because: isUnsure ? "name_failed" : "name_not_found" };
}

function isNoSuchName(reason: unknown): boolean {
  const code = errorCode(reason);
  return code === "ENOTFOUND" || code === "ENODATA";
}

async function exchange(to: Target, post: Post, rules: EgressRules): Promise<Exchange> {
  const limits = { ...defaultLimits, ...rules.limits };
  const began = performance.now();
  const opened = await openConnection({
    host: to.name,
    port: to.port,
    secure: true,
    address: to.address,
    timeoutMs: limits.connectMs,
    ...rules,
  });
  if (!opened.ok) {
    const { stage, tls } = opened;
    return {
      tls,
      outcome: { kind: "failed", stage, because: whyClosed(opened), ms: since(began) },
    };
  }
  const msLeft = limits.exchangeMs - since(began);
  const outcome = await sendRequest(opened.socket, to, post, { ...limits, exchangeMs: msLeft });
  return { tls: opened.tls, outcome };
}

function whyClosed({ stage, because }: Extract<Opened, { ok: false }>): EgressFailure {
  if (because === "timed_out") return stage === "tls" ? "tls_timeout" : "connect_timeout";
  // What a proxy that asks for a password refuses is Gancho, not the address.
  if (because === "proxy_password") return "proxy_failed";
  return typeof because === "string" ? because : failureOf(because.error, stage);
}

/** One POST on an open connection. Ends by the deadline, whatever comes. */
function sendRequest(
  socket: net.Socket,
  { target }: Target,
  { body, userAgent, authorization }: Post,
  limits: typeof defaultLimits,
): Promise<Exchange["outcome"]> {
  const began = performance.now();
  return new Promise((resolve) => {
    let head: Omit<Extract<Exchange["outcome"], { kind: "answered" }>, "complete"> | null = null;
    let bytes = 0;
    const finish = (because: EgressFailure, complete = false) => {
      clearTimeout(timer);
      request.destroy();
      socket.destroy();
      resolve(
        head
          ? { ...head, complete }
          : { kind: "failed", stage: "answer", because, ms: since(began) },
      );
    };
    const timer = setTimeout(() => finish("no_answer"), limits.exchangeMs);

    const request = http.request({
      method: "POST",
      path: target.pathname + target.search,
      createConnection: () => socket,
      maxHeaderSize: limits.headBytes,
      insecureHTTPParser: false,
      headers: {
        host: target.host,
        "user-agent": userAgent,
        accept: "*/*",
        "accept-encoding": "identity",
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        connection: "close",
        ...(authorization && { authorization: authorization.reveal() }),
      },
    });
    request.on("error", (error) => finish(failureOf(error, "answer")));
    request.once("upgrade", () => finish("not_http"));
    request.once("socket", () => {
      // After the parser, which counts one head at a time: announcements may come without end.
      socket.on("data", (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > limits.headBytes + (head ? limits.bodyBytes : 0)) finish("head_too_large");
      });
    });
    request.once("response", (answer) => {
      const { statusCode: status = 0, headers } = answer;
      const redirectHost = status >= 300 && status < 400 ? hostIn(headers.location, target) : null;
      head = { kind: "answered", status, redirectHost, ms: since(began) };
      answer.on("error", () => finish("closed_early"));
      answer.once("end", () => finish("closed_early", answer.complete));
      // Discarded, and never decompressed.
      answer.resume();
    });
    request.end(body);
  });
}

function hostIn(location: string | undefined, base: URL): string | null {
  if (location === undefined || !URL.canParse(location, base.href)) return null;
  return new URL(location, base).host.slice(0, 255) || null;
}

function since(began: number): number {
  return Math.round(performance.now() - began);
}

/** Ports of other protocols, which browsers block too (https://fetch.spec.whatwg.org/#port-blocking). */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);
