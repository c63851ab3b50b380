import { errorCode } from "@/lib/platform/runtime/error-code";

/** Why the sandbox cannot start, in words for the person who started it: one line a problem, no secrets. */
export class StartupError extends Error {
  override readonly name = "StartupError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join("\n"), options);
    this.problems = problems;
  }
}

/** The database cannot be opened, or is none of ours. */
export function databaseProblem(file: string, cause: unknown): StartupError {
  return new StartupError([`the database ${file} ${inWords(databaseWords, cause)}`], { cause });
}

/** Nothing can listen at the address. */
export function listenProblem(host: string, port: number, cause: unknown): StartupError {
  return new StartupError([`port ${port} of ${host} ${inWords(listenWords, cause)}`], { cause });
}

type Words = Partial<Record<string, string>>;

const notAllowed =
  "cannot be written: check the owner and the permissions, or set SANDBOX_DATABASE_URL";
const cannotCreate =
  "cannot be created there: set SANDBOX_DATABASE_URL to a file in a folder that can hold it";
const unreadable = "is not a database, or is damaged: move it away to begin with an empty one";

/** By the codes of the file system and of SQLite. */
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

/** By the codes of the network. */
const listenWords: Words = {
  EADDRINUSE: "is taken: stop the program that uses it, or set SANDBOX_PORT to another",
  EACCES: "is reserved for root: set SANDBOX_PORT to one above 1023",
  EADDRNOTAVAIL: "cannot be taken: SANDBOX_HOST is not an address of this machine",
  ENOTFOUND: "cannot be taken: the name in SANDBOX_HOST was not found",
};

function inWords(words: Words, cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return words[errorCode(cause) ?? ""] ?? `cannot be used: ${cause.message}`;
}
