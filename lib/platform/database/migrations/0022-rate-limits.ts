import "server-only";
import type { Kysely, Migration } from "kysely";

/** What each person and partner did lately, counted; the columns are those that rate-limiter-flexible writes. */
export const rateLimits: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("rate_limits")
      .addColumn("key", "varchar(255)", (c) => c.primaryKey())
      .addColumn("points", "integer", (c) => c.notNull())
      .addColumn("expire", "bigint", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("rate_limits_over").on("rate_limits").column("expire").execute();
  },
};
