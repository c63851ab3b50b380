import { errorCode, networkErrorOf, type NetworkError } from "@/lib/platform/runtime/network-error";
import type { Secret } from "@/lib/platform/runtime/secret";
import { CliError } from "./failure";

/** Says why the database cannot be used, by the error codes of the file system, SQLite, the network and PostgreSQL. */
export function databaseFailure(url: Secret, cause: unknown): CliError {
  if (!(cause instanceof Error))
    return new CliError(`the database cannot be used: ${String(cause)}`);
  const code = errorCode(cause) ?? "";
  const known = networkErrorOf(code);
  const why = known ? ofNetwork[known] : words[code];
  return new CliError(`the database ${inWords(url)} ${why ?? `cannot be used: ${cause.message}`}`);
}

/** Nothing of an address with a password in it: where that is not encoded, a part of it passes for the host. */
function inWords(url: Secret): string {
  const text = url.reveal();
  return text.startsWith("file:") ? text : "of DATABASE_URL";
}

const notAllowed = "cannot be written: check its owner and permissions, or set DATABASE_URL";
const cannotCreate =
  "cannot be created there: set DATABASE_URL to a file in a folder that can hold it";
const unreadable =
  "is not a database, or is damaged: restore a backup, or move it away to start afresh";
const unreachable = "cannot be reached: check DATABASE_URL, and that the server runs";
const unverified =
  "has a certificate that is not verified: check the host in DATABASE_URL, and name its authority with sslrootcert=FILE";
const refused = "refuses this user and password: check DATABASE_URL";

const ofNetwork: Record<NetworkError, string> = {
  refused: unreachable,
  unreachable,
  timed_out: unreachable,
  name_not_found: "cannot be reached: its host name was not found; check DATABASE_URL",
  certificate_expired: unverified,
  certificate_not_yet_valid: unverified,
  certificate_wrong_name: unverified,
  certificate_self_signed: unverified,
  certificate_untrusted: unverified,
};

const words: Partial<Record<string, string>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: notAllowed,
  SQLITE_READONLY: notAllowed,
  ENOENT: cannotCreate,
  ENOTDIR: cannotCreate,
  SQLITE_CANTOPEN: cannotCreate,
  EISDIR: "is a folder: set DATABASE_URL to a file",
  ENOSPC: "cannot be written: the disk is full",
  SQLITE_FULL: "cannot be written: the disk is full",
  SQLITE_NOTADB: unreadable,
  SQLITE_CORRUPT: unreadable,
  SQLITE_BUSY: "is locked by another program",
  "42501":
    "does not let this user do that: run gancho migrate --grant-to and its name, as the user that owns the tables",
  "42704": "has no such user: create it first",
  "55P03":
    "has a table that another program has locked for too long, so nothing was changed: end that program's transaction, or try again later",
  "28P01": refused,
  "28000": refused,
  "3D000": "does not exist on that server: create it, or set DATABASE_URL to another",
};
