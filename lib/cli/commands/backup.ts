import { errorCode } from "@/lib/platform/runtime/error-code";
import { env } from "@/lib/platform/env/env";
import { anchorFile } from "@/lib/history/server/verify/anchor-file";
import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import path from "node:path";
import { embeddedFile, flush, openRaw, requireIntact } from "@/lib/cli/embedded-database";
import { Failure } from "@/lib/cli/failure";
import { Misuse, type Command } from "./command";

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
