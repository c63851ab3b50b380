import "server-only";
import type { Kysely, Migration } from "kysely";

/** When the certificate of each host was seen, and until when it is valid. */
export const endpointCertificates: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("endpoint_certificates")
      .addColumn("host", "varchar(300)", (c) => c.primaryKey())
      .addColumn("due_at", "bigint", (c) => c.notNull())
      .addColumn("seen_at", "bigint")
      .addColumn("valid_to", "bigint")
      .addColumn("failure", "varchar(40)")
      .execute();
  },
};
