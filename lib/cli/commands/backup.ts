import { isPostgres } from "@/lib/platform/database/open";
import type { Secret } from "@/lib/platform/runtime/secret";
import Libsql from "libsql";
import {
  closeSync,
  fsyncSync,
  openSync,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import path from "node:path";
import { Failure } from "@/lib/cli/failure";
import { errorCode } from "@/lib/platform/runtime/network-error";
import { env } from "@/lib/platform/env/env";
import { anchorFile } from "@/lib/history/server/verify/anchor-file";
import { Misuse, type Command } from "./command";

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

export const command: Command = {
  help: `Usage: npm run gancho -- backup FILE

Writes a copy of the embedded database, as it is now, to FILE, and checks that the copy is intact.
Gancho may keep running. FILE must not exist yet; only its owner can read it. Until the copy is
complete it has another name, so FILE is never half a backup. What history-anchor.jsonl in
GANCHO_DATA_DIR contained just before is written to FILE.anchors. Keep them together: docs/operate.md,
"Back up and restore", puts both back.

The secrets in the backup can only be decrypted with ENCRYPTION_KEYS: keep those too, and in another
place.`,
  options: {},
  positionals: 1,
  run: async ({ positionals: [file] }) => {
    if (file === undefined) throw new Misuse("the FILE to write is missing");
    const source = embeddedFile(env().databaseUrl, "pg_dump");
    if (!existsSync(source)) throw new Failure(`${source} is not there: nothing to back up`);
    const target = path.resolve(file);
    backUp(source, target);
    console.log(`${target}: ${statSync(target).size.toLocaleString("en")} bytes, whole.`);
  },
};

function backUp(source: string, target: string): void {
  const draft = `${target}.${process.pid}`;
  createPrivately(draft);
  // Before the database: it may contain fewer entries than the database, never more.
  const anchors = copyAnchors(`${draft}.anchors`);
  try {
    const database = openRaw(source);
    // Reads one state of the database, whatever others write meanwhile.
    database.prepare("vacuum into ?").run(draft);
    database.close();
    requireIntact(draft);
    flush(draft);
    if (anchors !== null) nameFinally(anchors, `${target}.anchors`);
    try {
      nameFinally(draft, target);
    } catch (error) {
      if (anchors !== null) rmSync(`${target}.anchors`);
      throw error;
    }
    flush(path.dirname(target));
  } finally {
    rmSync(draft, { force: true });
    if (anchors !== null) rmSync(anchors, { force: true });
  }
}

/** The whole lines of the anchor file now; null where there is none. */
function copyAnchors(draft: string): string | null {
  if (!existsSync(anchorFile())) return null;
  createPrivately(draft);
  copyFileSync(anchorFile(), draft);
  // A line without its end may still be being written, which looks like a damaged one: leave it to its writer.
  const text = readFileSync(draft);
  const start = text.lastIndexOf("\n") + 1;
  if (!isLine(text.subarray(start).toString())) truncateSync(draft, Math.max(start - 1, 0));
  flush(draft);
  return draft;
}

function isLine(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Made empty, for its owner only, before anything is written. Throws `Failure`. */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    throw new Failure(
      `${path.dirname(file)} cannot be written: ${errorCode(error) ?? String(error)}`,
    );
  }
}

/** Unlike renaming, it never replaces an existing file. Throws `Failure`. */
function nameFinally(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (error) {
    throw new Failure(
      errorCode(error) === "EEXIST"
        ? `${target} is there already: choose another name`
        : `${target} cannot be written: ${errorCode(error) ?? String(error)}`,
    );
  }
}
