import { isPostgres } from "@/lib/platform/database/open";
import type { Secret } from "@/lib/platform/runtime/secret";
import Libsql from "libsql";
import { closeSync, fsyncSync, openSync } from "node:fs";
import path from "node:path";
import { Failure } from "./failure";

/** How long to wait for another program's transaction, milliseconds. */
const busyTimeoutMs = 5_000;

/** The file of DATABASE_URL. Throws `Failure` for PostgreSQL, which has its own tools. */
export function embeddedFile(url: Secret, instead: string): string {
  const text = url.reveal();
  if (isPostgres(text))
    throw new Failure(`DATABASE_URL is PostgreSQL, which has tools for that: use ${instead}`);
  return path.resolve(text.replace(/^file:/, ""));
}

export function openRaw(file: string): Libsql.Database {
  return new Libsql(file, { timeout: busyTimeoutMs });
}

/** Throws `Failure` for a file that is no intact database of Gancho's. */
export function requireIntact(file: string): void {
  const database = openRaw(file);
  try {
    const found: unknown = database.pragma("integrity_check");
    if (!isOk(found)) throw new Failure(`${file} is damaged`);
    database.prepare("select name from kysely_migration limit 1").get();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${file} is not a database of Gancho's`);
  } finally {
    database.close();
  }
}

function isOk(found: unknown): boolean {
  const [first]: unknown[] = Array.isArray(found) ? found : [];
  return (
    typeof first === "object" &&
    first !== null &&
    "integrity_check" in first &&
    first.integrity_check === "ok"
  );
}

/** Syncs a file, or a folder's list of files, to the disk. */
export function flush(fileOrFolder: string): void {
  const handle = openSync(fileOrFolder, "r");
  fsyncSync(handle);
  closeSync(handle);
}
