import "server-only";
import { createPrivateFolder } from "@/lib/private-folder";
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
  type SqliteDialectConfig,
} from "kysely";
import Libsql from "libsql";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import path from "node:path";

/**
 * Readable by its owner only, whatever the umask: the file holds sessions and encrypted secrets. One that exists is left
 * as it is: what DATABASE_URL names by mistake may be anything.
 */
function createPrivately(file: string): void {
  const isNew = !existsSync(file);
  if (isNew) createPrivateFolder(path.dirname(file));
  // Opened also when it is there: the file system says better than SQLite why it cannot be used.
  closeSync(openSync(file, "a", 0o600));
  // The write-ahead log and shared-memory files take the mode of this one.
  if (isNew) chmodSync(file, 0o600);
}

/** SQLite can undo DDL; Kysely leaves that off for pragmas that ours do not use. A migration runs whole or not at all. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Takes the write lock when a transaction begins: upgrading later fails at once when another process wrote meanwhile. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

class EmbeddedDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }
  override createAdapter(): TransactionalAdapter {
    return new TransactionalAdapter();
  }
  override createDriver(): ImmediateDriver {
    return new ImmediateDriver(this.#config);
  }
}

/** `synchronous=FULL`: an acknowledged history row survives `kill -9` and a power cut. */
export function sqliteDialect(url: string): SqliteDialect {
  const file = url.replace(/^file:/, "");
  return new EmbeddedDialect({
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
