import "server-only";
import { SqliteDialect, type SqliteDatabase } from "kysely";
import Libsql from "libsql";
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";

/** Readable by its owner only, whatever the umask: the file holds sessions and encrypted secrets. */
function createPrivately(file: string): void {
  const folder = path.dirname(file);
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(folder, 0o700);
  closeSync(openSync(file, "a", 0o600));
  // The write-ahead log and shared-memory files take the mode of this one.
  chmodSync(file, 0o600);
}

/** `synchronous=FULL`: an acknowledged history row survives `kill -9` and a power cut. */
export function sqliteDialect(url: string): SqliteDialect {
  const file = url.replace(/^file:/, "");
  return new SqliteDialect({
    database: async () => {
      createPrivately(file);
      const database = new Libsql(file, { timeout: 5_000 });
      database.pragma("journal_mode = WAL");
      database.pragma("synchronous = FULL");
      database.pragma("foreign_keys = ON");
      return database as unknown as SqliteDatabase;
    },
  });
}
