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
import { CliError } from "@/lib/cli/failure";
import { errorCode } from "@/lib/platform/runtime/network-error";
import { env } from "@/lib/platform/env/env";
import { anchorFile } from "@/lib/history/server/verify/anchor-file";
import { UsageError, type Command } from "./command";

/** How long to wait for another program's transaction, milliseconds. */
const busyTimeoutMs = 5_000;

/** The file of DATABASE_URL. Throws `CliError` for PostgreSQL, which has its own tools. */
function embeddedFile(url: Secret): string {
  const text = url.reveal();
  if (isPostgres(text))
    throw new CliError("DATABASE_URL is PostgreSQL, which has tools for that: use pg_dump");
  return path.resolve(text.replace(/^file:/, ""));
}

function openRaw(file: string): Libsql.Database {
  return new Libsql(file, { timeout: busyTimeoutMs });
}

/** Throws `CliError` for a copy that is no intact database of Gancho's. */
function requireIntact(copy: string, source: string): void {
  const database = openRaw(copy);
  try {
    const found: unknown = database.pragma("integrity_check");
    if (!isOk(found)) throw new CliError(`the copy is damaged, and ${source} may be, too`);
    database.prepare("select name from kysely_migration limit 1").get();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${source} is not a database of Gancho's`);
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
function flush(fileOrFolder: string): void {
  const handle = openSync(fileOrFolder, "r");
  fsyncSync(handle);
  closeSync(handle);
}

export const command: Command = {
  help: `Usage: gancho backup FILE

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
    if (file === undefined) throw new UsageError("the FILE to write is missing");
    const source = embeddedFile(env().databaseUrl);
    if (!existsSync(source)) throw new CliError(`${source} is not there: nothing to back up`);
    const target = path.resolve(file);
    backUp(source, target);
    console.log(`${target}: ${statSync(target).size.toLocaleString("en")} bytes, whole.`);
  },
};

function backUp(source: string, target: string): void {
  const draft = `${target}.${process.pid}`;
  const anchors = `${draft}.anchors`;
  try {
    createPrivately(draft);
    // Before the database: it may contain fewer entries than the database, never more.
    const hasAnchors = copyAnchors(anchors);
    const database = openRaw(source);
    // Copies one consistent state, whatever others write meanwhile.
    database.prepare("vacuum into ?").run(draft);
    database.close();
    requireIntact(draft, source);
    flush(draft);
    if (hasAnchors) linkToTarget(anchors, `${target}.anchors`);
    try {
      linkToTarget(draft, target);
    } catch (error) {
      if (hasAnchors) rmSync(`${target}.anchors`);
      throw error;
    }
    flush(path.dirname(target));
  } catch (error) {
    if (error instanceof CliError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(`${source} cannot be copied: ${why}; nothing was kept`);
  } finally {
    for (const file of [draft, anchors]) rmSync(file, { force: true });
  }
}

/** Copies the whole lines of the anchor file as it is now. Returns whether there is one. */
function copyAnchors(draft: string): boolean {
  if (!existsSync(anchorFile())) return false;
  createPrivately(draft);
  copyFileSync(anchorFile(), draft);
  // A line without its end may still be being written, which looks like a damaged one: leave it to its writer.
  const text = readFileSync(draft);
  const start = text.lastIndexOf("\n") + 1;
  if (!isLine(text.subarray(start).toString())) truncateSync(draft, Math.max(start - 1, 0));
  flush(draft);
  return true;
}

function isLine(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Made empty, for its owner only, before anything is written. Throws `CliError`. */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    throw new CliError(
      `${path.dirname(file)} cannot be written: ${errorCode(error) ?? String(error)}`,
    );
  }
}

/** Unlike renaming, it never replaces an existing file. Throws `CliError`. */
function linkToTarget(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (error) {
    throw new CliError(
      errorCode(error) === "EEXIST"
        ? `${target} is there already: choose another name`
        : `${target} cannot be written (${errorCode(error) ?? String(error)}): its file system must have hard links`,
    );
  }
}
