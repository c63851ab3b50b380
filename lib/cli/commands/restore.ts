import { errorCode } from "@/lib/platform/runtime/error-code";
import { sql } from "kysely";
import { env, type Env } from "@/lib/platform/env/env";
import { anchorFile } from "@/lib/history/server/verify/anchor-file";
import { ensurePrivateDir } from "@/lib/platform/runtime/folders";
import { Secret } from "@/lib/platform/runtime/secret";
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { embeddedFile, flush, openRaw, requireIntact } from "@/lib/cli/embedded-database";
import { Failure } from "@/lib/cli/failure";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { Misuse, type Command } from "./command";

export const command: Command = {
  help: `Usage: npm run gancho -- restore FILE

Replaces the embedded database with a backup. It refuses while Gancho, or any other program, has
the database open: stop it first. Before it replaces anything, it checks the backup, brings it up to
date and matches it with ENCRYPTION_KEYS. The former database is kept beside it.

It also restores the anchor file, from FILE.anchors, where backup wrote it, and keeps the newer one
beside it. Without FILE.anchors the newer one stays, and verify-history names what the history has
lost: docs/operate.md, "After an older backup was restored", describes how to continue.

What was saved since the backup is not in it. At the payment service it stays as it is.`,
  options: {},
  positionals: 1,
  run: async ({ positionals: [file] }) => {
    if (file === undefined) throw new Misuse("the FILE to restore is missing");
    const config = env();
    const target = embeddedFile(config.databaseUrl, "pg_restore");
    if (!existsSync(file)) throw new Failure(`${file} is not there`);
    ensurePrivateDir(path.dirname(target));
    const draft = `${target}.restoring-${process.pid}`;
    try {
      await prepareDraft(file, draft, config);
      const kept = exchange(draft, target);
      console.log(
        kept === null
          ? `${target} is restored.`
          : `${target} is restored. What was there before is ${kept}.`,
      );
      console.log(restoreAnchors(`${file}.anchors`));
    } finally {
      for (const end of ["", "-wal", "-shm"]) rmSync(`${draft}${end}`, { force: true });
    }
  },
};

/** A copy beside the target, checked and brought up to date, in one file. Throws `Failure`. */
async function prepareDraft(file: string, draft: string, config: Env): Promise<void> {
  copyFileSync(file, draft);
  chmodSync(draft, 0o600);
  requireIntact(draft, file);
  const db = await prepareDatabase({ ...config, databaseUrl: new Secret(`file:${draft}`) });
  // Moves the write-ahead log into the file, because only the file is kept.
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  if (rows[0]?.busy !== 0) throw new Failure(`${draft} is in use by another program`);
  await db.destroy();
  flush(draft);
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

/** Puts the anchor file of the backup in place, and prints where the newer one went. */
function restoreAnchors(from: string): string {
  const target = anchorFile();
  if (!existsSync(from))
    return existsSync(target)
      ? `There is no ${from}: ${target} stays, and knows entries that the backup does not have. docs/operate.md says how to go on.`
      : `There is no ${from}: run npm run gancho -- accept-state --all to begin a new anchor file.`;
  const draft = `${target}.restoring-${process.pid}`;
  copyFileSync(from, draft);
  chmodSync(draft, 0o600);
  flush(draft);
  const kept = `${target}.before-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  const isThere = existsSync(target);
  if (isThere) renameSync(target, kept);
  renameSync(draft, target);
  flush(path.dirname(target));
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
