import "server-only";
import type { Kysely, Migration } from "kysely";

export const signInAttempts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("sign_in_attempts")
      .addColumn("bucket", "varchar(64)", (c) => c.primaryKey())
      .addColumn("attempts", "integer", (c) => c.notNull())
      .addColumn("failures", "integer", (c) => c.notNull())
      .addColumn("blocked_until", "bigint", (c) => c.notNull())
      .addColumn("window_ends_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("sign_in_attempts_over")
      .on("sign_in_attempts")
      .column("window_ends_at")
      .execute();
  },
};
