import "server-only";
import type { Kysely, Migration } from "kysely";

type Schema = Kysely<unknown>;

/** Tokens that processes share, and when a save left by a clock that nobody sets. */
export const sharedTokens: Migration = {
  async up(db: Schema) {
    await db.schema
      .createTable("tokens")
      .addColumn("connection_id", "varchar(64)", (c) => c.primaryKey().references("connections.id"))
      .addColumn("version", "integer", (c) => c.notNull())
      .addColumn("issue", "varchar(64)", (c) => c.notNull())
      .addColumn("token_ciphertext", "text")
      .addColumn("fault_json", "text")
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .alterTable("saves")
      .addColumn("sent_at", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
