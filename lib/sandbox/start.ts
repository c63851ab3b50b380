import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { createApp } from "./app";
import { createClientDirectory } from "./client-directory";
import { parseClientList, type SandboxClient, demoClients } from "./client-list";
import { createHttpServer } from "./http-server";
import { parseIpRange } from "./ip-list";
import { createLog, type LogLevel } from "./log";
import { ensurePrivateFile } from "./private-file";
import type { AuthField } from "./service";
import { databaseProblem, listenProblem, StartupError } from "./startup-error";
import { openStore, type Store } from "./store";
import { createTokens } from "./tokens";

export type SandboxOptions = {
  /** Who may call; left out: the demo's clients. */
  clients?: readonly SandboxClient[];
  /** Left out: 127.0.0.1. */
  host?: string;
  /** 0 or left out: any free port. */
  port?: number;
  /** Path of the SQLite file, made with its folders if missing; left out: in memory, gone when closed. */
  databaseFile?: string;
  /** Whole seconds that a token lives; left out: 1800. */
  tokenTtl?: number;
  /** Name of the Authorization value in list items; left out: auth_header. */
  authField?: AuthField;
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted; left out: none. */
  trustedProxies?: readonly string[];
  /** Requests a minute and caller's address; left out: no limit. */
  rateLimit?: number;
  /** Left out: silent. */
  logLevel?: LogLevel;
  /** Milliseconds since 1970, for issuing and expiring tokens; left out: the clock. */
  now?: () => number;
};

export type Sandbox = {
  /** Base address without a trailing slash, for example http://127.0.0.1:4010. */
  url: string;
  port: number;
  /** Changes who may call from the next request on, without touching what is registered. */
  setClients(clients: readonly SandboxClient[]): void;
  /** Lets running requests end (2 s at most), then frees the port and the database. */
  close(): Promise<void>;
};

/**
 * Starts a sandbox in this process.
 * Throws a StartupError if a client, the database or the address does not allow it.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = "127.0.0.1", port = 0, now = Date.now } = options;
  let clients = readClients(options.clients ?? demoClients);
  const trustedProxies = (options.trustedProxies ?? []).map(readRange);
  const log = createLog(options.logLevel ?? "silent");
  const store = openDatabase(options.databaseFile ?? null);
  const app = createApp({
    service: {
      clients: () => clients,
      tokens: createTokens({ key: store.signingKey, ttl: options.tokenTtl ?? 1800, now }),
      store,
      authField: options.authField ?? "auth_header",
    },
    log,
    trustedProxies,
    rateLimit: options.rateLimit ?? null,
  });
  const server = createHttpServer(app.fetch, log);
  let listening: AddressInfo;
  try {
    listening = await listen(server, host, port);
  } catch (error) {
    store.close();
    throw error;
  }
  let closed: Promise<void> | undefined;
  return {
    url: urlOf(listening),
    port: listening.port,
    setClients(next) {
      clients = readClients(next);
    },
    close() {
      closed ??= closeServer(server).then(() => store.close());
      return closed;
    },
  };
}

function urlOf({ family, address, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

function readClients(clients: readonly SandboxClient[]) {
  const list = parseClientList(clients);
  if (!list.ok) throw new StartupError(list.problems.map((problem) => `Clients: ${problem}`));
  return createClientDirectory(list.clients);
}

function readRange(text: string) {
  const range = parseIpRange(text);
  if (!range)
    throw new StartupError([`Trusted proxies: ${text} is not an IP address or CIDR range`]);
  return range;
}

function openDatabase(file: string | null): Store {
  try {
    if (file !== null) ensurePrivateFile(file);
    return openStore(file);
  } catch (error) {
    throw databaseProblem(file ?? "in memory", error);
  }
}

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (error) {
    throw listenProblem(host, port, error);
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Not a TCP server");
  return address;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const deadline = setTimeout(() => server.closeAllConnections(), 2_000);
  await closed;
  clearTimeout(deadline);
}
