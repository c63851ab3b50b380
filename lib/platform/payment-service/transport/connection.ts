import "server-only";
import type net from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { Client, errors } from "undici";
import { openConnection, type Opened, type Proxy } from "@/lib/platform/egress/open";

/** How long a kept connection lives, milliseconds, however often it is used: only a new one shows a new certificate. */
const lifeMs = 60_000;

/** The reason for destroying a client; undici would make one, with its stack, for each. */
const over = new Error("the exchange is over");

export type HowToConnect = {
  /** Name, TCP and TLS together, milliseconds. */
  connectMs: number;
  /** PEM certificates to trust instead of the ones that Node knows. */
  ca: string | undefined;
  /** Left out: every host is reached directly. */
  proxyFor?: ((host: string) => Proxy | null) | undefined;
};

/** Opens a connection to the origin of a URL. */
export function openTo(
  { protocol, hostname, port }: URL,
  { connectMs, ca, proxyFor }: HowToConnect,
  signal: AbortSignal,
): Promise<Opened> {
  const secure = protocol === "https:";
  const host = hostname.replace(/^\[|\]$/g, "");
  return openConnection({
    host,
    port: Number(port) || (secure ? 443 : 80),
    secure,
    proxy: proxyFor?.(host) ?? null,
    timeoutMs: connectMs,
    signal,
    ca,
  });
}

/** An open connection, and HTTP/1.1 on it: one request at a time, or one in all where it is not kept. */
export class Connection {
  readonly client: Client;
  readonly #socket: net.Socket;
  readonly #openedAt = performance.now();
  /** Called once it is closed. */
  onClosed: (() => void) | null = null;

  /** `keptMs`: how long it stays open without a request, milliseconds; 0: it is for one request. */
  constructor(origin: string, socket: net.Socket, keptMs: number) {
    this.#socket = socket;
    socket.once("close", () => this.onClosed?.());
    this.client = new Client(origin, {
      // Not within the call: undici would not see that it is connected.
      connect: (_to, callback) =>
        queueMicrotask(() => (this.isOpen ? callback(null, socket) : callback(over, null))),
      pipelining: keptMs > 0 ? 1 : 0,
      ...(keptMs > 0 && { keepAliveTimeout: keptMs, keepAliveMaxTimeout: keptMs }),
      // The deadline is the only timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && !this.client.destroyed;
  }

  get isYoung(): boolean {
    return performance.now() - this.#openedAt < lifeMs;
  }

  /** Whether something came to which no request belongs. It is closed then. */
  get heardUnasked(): boolean {
    const { errored, readableEnded } = this.#socket;
    // What undici destroys it with; the socket's own errors are others.
    if (errored instanceof errors.SocketError) return !readableEnded;
    return errored instanceof errors.HTTPParserError;
  }

  close(): void {
    void this.client.destroy(over);
    this.#socket.destroy();
  }
}

/** Until everything has been read that has arrived. The first turn ends the round of the event loop that is in progress, the second one a whole round. */
export async function everythingRead(): Promise<void> {
  await turn();
  await turn();
}

/** A connection that was opened before its request is known. Older than this, milliseconds, a service may close it. */
const earlyMs = 2_000;

/**
 * The connection of a write, opened ahead, so that the write does not wait for the handshake. Nothing is sent on it before
 * `take`, and what comes before it closes it.
 */
export class EarlyConnection {
  readonly #url: URL;
  readonly #given = new AbortController();
  readonly #opening: Promise<{ socket: net.Socket; at: number } | null>;

  /** `onGiven`: called once it was taken or closed. */
  constructor(url: URL, how: HowToConnect, onGiven: () => void) {
    this.#url = url;
    this.#given.signal.addEventListener("abort", onGiven, { once: true });
    this.#opening = openTo(url, how, this.#given.signal).then((opened) => {
      if (!opened.ok) return null;
      const { socket } = opened;
      socket.on("data", destroy);
      if (this.#given.signal.aborted) socket.destroy();
      return { socket, at: performance.now() };
    });
  }

  /** Once, for a request to the same origin; null where it cannot be used. */
  async take(url: URL, signal: AbortSignal): Promise<Connection | null> {
    if (url.origin !== this.#url.origin || this.#given.signal.aborted) return null;
    const stop = () => this.close();
    signal.addEventListener("abort", stop, { once: true });
    const opened = await this.#opening;
    signal.removeEventListener("abort", stop);
    await everythingRead();
    if (!opened || this.#given.signal.aborted) return null;
    const { socket, at } = opened;
    this.#given.abort();
    if (socket.destroyed || performance.now() - at > earlyMs) {
      socket.destroy();
      return null;
    }
    socket.off("data", destroy);
    socket.pause();
    return new Connection(url.origin, socket, 0);
  }

  /** Where it was not taken. */
  close(): void {
    if (this.#given.signal.aborted) return;
    this.#given.abort();
    void this.#opening.then((opened) => opened?.socket.destroy());
  }
}

function destroy(this: net.Socket): void {
  this.destroy();
}
