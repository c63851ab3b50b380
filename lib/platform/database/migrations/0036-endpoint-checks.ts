import "server-only";
import type { Kysely, Migration } from "kysely";

/** The last endpoint check of each registered address. */
export const endpointChecks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("endpoint_checks")
      .addColumn("connection_id", "varchar(64)", (c) => c.notNull().references("connections.id"))
      .addColumn("type", "varchar(16)", (c) => c.notNull())
      .addColumn("base_url", "varchar(2048)", (c) => c.notNull())
      .addColumn("client_id", "varchar(400)", (c) => c.notNull())
      .addColumn("checked_at", "bigint", (c) => c.notNull())
      .addColumn("fingerprint", "varchar(64)")
      .addColumn("result_json", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("endpoint_checks_pk", ["connection_id", "type"])
      .execute();
  },
};
