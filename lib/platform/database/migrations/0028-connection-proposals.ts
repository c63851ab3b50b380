import "server-only";
import type { Kysely, Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";
const name = "varchar(200)";

/** Credentials that wait for a second admin, and who that was for those in use. */
export const connectionProposals: Migration = {
  async up(db: Schema) {
    await db.schema
      .createTable("connection_proposals")
      .addColumn("id", id, (c) => c.primaryKey())
      .addColumn("partner_id", "varchar(40)", (c) => c.notNull().references("partners.id"))
      .addColumn("environment", "varchar(40)", (c) => c.notNull())
      .addColumn("base_version", "integer", (c) => c.notNull())
      .addColumn("client_id_before", name, (c) => c.notNull())
      .addColumn("client_id", name, (c) => c.notNull())
      .addColumn("secret_replaced", "integer", (c) => c.notNull())
      .addColumn("secret_ciphertext", "text")
      .addColumn("fault_code", id)
      .addColumn("reason", name)
      .addColumn("author_id", id, (c) => c.notNull().references("users.id"))
      .addColumn("author_name", name, (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .addColumn("state", "varchar(16)", (c) => c.notNull())
      .addColumn("ended_at", "bigint")
      .addColumn("ended_by_id", id)
      .addColumn("ended_by", name)
      .addColumn("end_reason", name)
      .addColumn("dismissed_at", "bigint")
      .execute();
    await db.schema
      .createIndex("connection_proposals_of_place")
      .on("connection_proposals")
      .columns(["partner_id", "environment", "state"])
      .execute();
    await db.schema.alterTable("connections").addColumn("approved_by", name).execute();
  },
};
