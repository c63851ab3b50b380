import "server-only";
import { env, type Env } from "@/lib/platform/env/env";
import { isLoopback } from "@/lib/platform/env/is-loopback";
import https from "node:https";
import net from "node:net";
import { Agent } from "undici";
import { hostList, listsAddress, listsName } from "./address";
import { openConnection, type Opened, type Proxy } from "./open";

/**
 * The way out to an address that the operator set: the payment service, the identity provider, mail and alerts. Through
 * OUTBOUND_PROXY, but for what is on this machine or in OUTBOUND_DIRECT.
 */

/** Of the process; `check-config` looks at others. */
type Settings = Pick<Env, "outboundProxy" | "outboundDirect">;

/** `host`: a name, or an address without brackets; null: it is reached directly. Resolves nothing. */
export function proxyFor(host: string, settings: Settings = env()): Proxy | null {
  const { outboundProxy, outboundDirect } = settings;
  if (!outboundProxy) return null;
  const isAddress = net.isIP(host) !== 0;
  if (isLoopback(new URL(`http://${net.isIPv6(host) ? `[${host}]` : host}`))) return null;
  const direct = hostList(outboundDirect);
  return (isAddress ? listsAddress : listsName)(host, direct) ? null : outboundProxy;
}

type To = { host: string; port: number; secure: boolean; timeoutMs: number };

/** A connection, opened the way that every call to this host is. */
export function openOutbound(to: To, settings?: Settings): Promise<Opened> {
  return openConnection({ ...to, proxy: proxyFor(to.host, settings) });
}

/** Name, proxy, TCP and TLS together, milliseconds. */
const connectMs = 5_000;

/** For a library that takes a socket. Rejects with an `OutboundError`, or with the network's own error. */
export async function outboundSocket(
  to: Omit<To, "timeoutMs">,
  settings?: Settings,
): Promise<net.Socket> {
  const opened = await openOutbound({ ...to, timeoutMs: connectMs }, settings);
  if (opened.ok) return opened.socket;
  throw errorOf(opened);
}

/** The proxy's faults, and a connection that was not opened in time. The message holds no address. */
export class OutboundError extends Error {
  override readonly name: string = "OutboundError";
  readonly code: string;
  constructor(code: keyof typeof outboundFaults) {
    super(outboundFaults[code]);
    this.code = code;
  }
}

export const outboundFaults = {
  PROXY_FAILED: "OUTBOUND_PROXY cannot be reached, or opens no connection in time",
  PROXY_PASSWORD: "OUTBOUND_PROXY asks for another user name or password",
  PROXY_REFUSED: "OUTBOUND_PROXY refuses to connect there, or cannot",
  ETIMEDOUT: "no connection was opened in time",
};

/** The error of a connection that was not opened. */
export function errorOf({ because, stage, isProxied }: Extract<Opened, { ok: false }>): Error {
  if (typeof because !== "string") return because.error;
  if (because !== "timed_out")
    return new OutboundError(
      (
        {
          proxy_failed: "PROXY_FAILED",
          proxy_password: "PROXY_PASSWORD",
          proxy_refused: "PROXY_REFUSED",
        } as const
      )[because],
    );
  return new OutboundError(isProxied && stage === "connect" ? "PROXY_FAILED" : "ETIMEDOUT");
}

/** For undici. */
export const outboundDispatcher = (settings?: Settings) =>
  new Agent({
    connect: ({ protocol, hostname, port }, callback) => {
      const secure = protocol === "https:";
      const host = hostname.replace(/^\[|\]$/g, "");
      outboundSocket({ host, port: Number(port) || (secure ? 443 : 80), secure }, settings).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
  });

/** For the whole answer, milliseconds: a library that waits for a pause alone would wait for ever for one that drips. */
const answerMs = 5_000;

function endIn(socket: net.Socket, ms: number): void {
  const late = () =>
    Object.assign(new Error("no whole answer came in time"), { code: "ETIMEDOUT" });
  const timer = setTimeout(() => socket.destroy(late()), ms);
  socket.once("close", () => clearTimeout(timer));
}

/** For libraries that call over `node:https`, each time over a new connection. */
class OutboundAgent extends https.Agent {
  override createConnection(
    { host, port }: https.AgentOptions & { host?: string; port?: number | string },
    callback?: (error: Error | null, socket: net.Socket) => void,
  ): undefined {
    outboundSocket({ host: host ?? "", port: Number(port) || 443, secure: true }).then(
      (socket) => {
        endIn(socket, answerMs);
        callback?.(null, socket);
      },
      (error: Error) => callback?.(error, new net.Socket()),
    );
    return undefined;
  }
}

export const outboundAgent = () => new OutboundAgent();
