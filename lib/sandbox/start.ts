import { errorCode } from "@/lib/platform/runtime/network-error";
import { ensurePrivateFile } from "@/lib/platform/runtime/folders";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { type AuthField, createApp } from "./app";
import { createClientDirectory, demoClients, parseClientList, type SandboxClient } from "./clients";
import { openStore, type Store } from "./store";
import { createTokens } from "./tokens";

export type SandboxOptions = {
  /** Who may call; left out: the demo's clients. */
  clients?: readonly SandboxClient[];
  /** 0 or left out: any free port of 127.0.0.1. */
  port?: number;
  /** Path of the SQLite file, made with its folders if missing; left out: in memory, gone when closed. */
  databaseFile?: string;
  /** Whole seconds that a token lives; left out: 1800. */
  tokenTtl?: number;
  /** Name of the Authorization value in list items; left out: auth_header. */
  authField?: AuthField;
  /** JSON lines on standard output; left out: silent. */
  logLevel?: string;
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

/** Why the sandbox cannot start, in words for the person who started it: one line a problem, no secrets. */
export class StartupError extends Error {
  override readonly name: string = "StartupError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join("\n"), options);
    this.problems = problems;
  }
}

/** The demo's secrets are public, so the sandbox answers this machine only. */
const host = "127.0.0.1";

/**
 * Starts a sandbox in this process.
 * Throws a StartupError if a client, the database or the port does not allow it.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  let clients = readClients(options.clients ?? demoClients);
  const log = pino(
    {
      level: options.logLevel ?? "silent",
      base: { program: "sandbox" },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 1, sync: true }),
  );
  const store = openDatabase(options.databaseFile ?? null);
  const tokens = createTokens({
    key: store.signingKey,
    ttl: options.tokenTtl ?? 1800,
    now: options.now ?? Date.now,
  });
  const authField = options.authField ?? "auth_header";
  const server = createApp({ clients: () => clients, tokens, store, authField }, log);
  let port: number;
  try {
    port = await listen(server, options.port ?? 0);
  } catch (error) {
    store.close();
    throw error;
  }
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host}:${port}`,
    port,
    setClients(next) {
      clients = readClients(next);
    },
    close() {
      closed ??= closeServer(server).then(() => store.close());
      return closed;
    },
  };
}

function readClients(clients: readonly SandboxClient[]) {
  const list = parseClientList(clients);
  if (!list.ok) throw new StartupError(list.problems.map((problem) => `Clients: ${problem}`));
  return createClientDirectory(list.clients);
}

function openDatabase(file: string | null): Store {
  try {
    if (file !== null) ensurePrivateFile(file);
    return openStore(file);
  } catch (error) {
    const name = file ?? "in memory";
    throw new StartupError([`the database ${name} ${inWords(databaseWords, error)}`], {
      cause: error,
    });
  }
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (error) {
    throw new StartupError([`port ${port} of ${host} ${inWords(listenWords, error)}`], {
      cause: error,
    });
  }
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const deadline = setTimeout(() => server.closeAllConnections(), 2_000);
  await closed;
  clearTimeout(deadline);
}

type Words = Partial<Record<string, string>>;

const notAllowed =
  "cannot be written: check the owner and the permissions, or set SANDBOX_DATABASE_URL";
const cannotCreate =
  "cannot be created there: set SANDBOX_DATABASE_URL to a file in a folder that can hold it";
const unreadable = "is not a database, or is damaged: move it away to begin with an empty one";

/** Keyed by the error codes of the file system and of SQLite. */
const databaseWords: Words = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: notAllowed,
  ENOENT: cannotCreate,
  ENOTDIR: cannotCreate,
  EISDIR: "is a folder: set SANDBOX_DATABASE_URL to a file",
  ENOSPC: "cannot be written: the disk is full",
  SQLITE_FULL: "cannot be written: the disk is full",
  SQLITE_NOTADB: unreadable,
  SQLITE_CORRUPT: unreadable,
  SQLITE_BUSY: "is locked by another program",
};

const listenWords: Words = {
  EADDRINUSE: "is taken: stop the program that uses it, or set SANDBOX_PORT to another",
  EACCES: "is reserved for root: set SANDBOX_PORT to one above 1023",
};

function inWords(words: Words, cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return words[errorCode(cause) ?? ""] ?? `cannot be used: ${cause.message}`;
}
