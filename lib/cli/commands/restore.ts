import { errorCode } from "@/lib/platform/runtime/error-code";
import { sql } from "kysely";
import { env, type Env } from "@/lib/platform/env/env";
import { anchorFile, noteAnchorsIn } from "@/lib/history/server/verify/anchor-file";
import { ensurePrivateDir } from "@/lib/platform/runtime/folders";
import { Secret } from "@/lib/platform/runtime/secret";
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { embeddedFile, flush, openRaw, requireIntact } from "@/lib/cli/embedded-database";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { revokeOpenAccess, type Ended } from "@/lib/retention/server/after-restore";
import { endedLine } from "./after-restore";
import { Misuse, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- restore FILE

Replaces the embedded database with a backup. It refuses while Gancho, or any other program, has
the database open: stop it first. Before it replaces anything, it checks the backup, brings it up to
date and matches it with ENCRYPTION_KEYS. The former database is kept beside it.

It also restores the anchor file, from FILE.anchors, where backup wrote it, and keeps the newer one
beside it. Without FILE.anchors the newer one stays, and verify-history names what the history has
lost: docs/operate.md, "After an older backup was restored", describes how to continue.

What was saved since the backup is not in it. At the payment service it stays as it is. Sessions,
password links and invitations that the backup has open are ended, as after-restore does it: see its
help.`,
  options: {},
  positionals: 1,
  run: async ({ positionals: [file] }) => {
    if (file === undefined) throw new Misuse("the FILE to restore is missing");
    const config = env();
    const target = embeddedFile(config.databaseUrl, "pg_restore");
    if (!existsSync(file)) throw new Failure(`${file} is not there`);
    ensurePrivateDir(path.dirname(target));
    const draft = `${target}.restoring-${process.pid}`;
    const anchors = `${anchorFile()}.restoring-${process.pid}`;
    try {
      const hasAnchors = draftAnchors(`${file}.anchors`, anchors);
      const ended = await prepareDraft(file, draft, config);
      flush(anchors);
      const kept = exchange(draft, target);
      console.log(
        kept === null
          ? `${target} is restored.`
          : `${target} is restored. What was there before is ${kept}.`,
      );
      console.log(restoreAnchors(anchors, hasAnchors ? null : `${file}.anchors`));
      console.log(endedLine(ended));
    } finally {
      for (const end of ["", "-wal", "-shm"]) rmSync(`${draft}${end}`, { force: true });
      rmSync(anchors, { force: true });
    }
  },
};

/**
 * A copy beside the target, checked and brought up to date, in one file: what it had open is ended before it takes the
 * target's place. Throws `Failure`.
 */
async function prepareDraft(file: string, draft: string, config: Env): Promise<Ended> {
  copyFileSync(file, draft);
  chmodSync(draft, 0o600);
  requireIntact(draft, file);
  const db = await prepareDatabase({ ...config, databaseUrl: new Secret(`file:${draft}`) });
  const ended = await revokeOpenAccess(db);
  // Moves the write-ahead log into the file, because only the file is kept.
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  if (rows[0]?.busy !== 0) throw new Failure(`${draft} is in use by another program`);
  await db.destroy();
  flush(draft);
  return ended;
}

/** Returns the name under which the former database is kept; null where there was none. Throws `Failure`. */
function exchange(draft: string, target: string): string | null {
  if (!existsSync(target)) {
    renameSync(draft, target);
    flush(path.dirname(target));
    return null;
  }
  const kept = `${target}.before-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  const former = holdAlone(target);
  renameSync(target, kept);
  renameSync(draft, target);
  flush(path.dirname(target));
  former.close();
  return kept;
}

/**
 * Begins the anchor file that goes with the draft, in which this process notes what it adds there; false where the
 * backup has none, and the present one goes on.
 */
function draftAnchors(from: string, draft: string): boolean {
  const isThere = existsSync(from);
  ensurePrivateDir(path.dirname(draft));
  if (isThere || existsSync(anchorFile())) {
    copyFileSync(isThere ? from : anchorFile(), draft);
    chmodSync(draft, 0o600);
  }
  noteAnchorsIn(draft);
  return isThere;
}

/** Puts the draft of the anchor file in place; returns words for where the newer one went. `missing`: the backup's. */
function restoreAnchors(draft: string, missing: string | null): string {
  const target = anchorFile();
  const isThere = existsSync(target);
  const kept = `${target}.before-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  if (isThere && missing === null) renameSync(target, kept);
  renameSync(draft, target);
  flush(path.dirname(target));
  if (missing !== null)
    return isThere
      ? `There is no ${missing}: ${target} stays, and knows entries that the backup does not have. docs/operate.md says how to go on.`
      : `There is no ${missing}: ${target} begins anew.`;
  return isThere
    ? `${target} is that of the backup. What was there before is ${kept}: it shows what was lost.`
    : `${target} is that of the backup.`;
}

/**
 * Opens the database exclusively. Only an exclusive connection can end the write-ahead log, which every running
 * dashboard keeps open. Throws `Failure`.
 */
function holdAlone(file: string) {
  const database = openRaw(file);
  try {
    database.pragma("journal_mode = delete");
    database.exec("begin exclusive");
    return database;
  } catch (error) {
    database.close();
    if (errorCode(error) === "SQLITE_BUSY")
      throw new Failure(`${file} is open in another program: stop Gancho first`);
    // Backups are for damaged databases, and no program can be using one.
    return database;
  }
}
