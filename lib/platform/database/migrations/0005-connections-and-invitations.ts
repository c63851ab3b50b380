import "server-only";
import { sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

/** Who changed a connection, how it was last checked, and as which client a configuration was read. */
async function connections(db: Schema) {
  await db.schema.alterTable("connections").addColumn("changed_by", "varchar(200)").execute();
  await db.schema
    .createTable("connection_checks")
    .addColumn("connection_id", "varchar(64)", (c) => c.primaryKey().references("connections.id"))
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("checked_at", "bigint", (c) => c.notNull())
    .addColumn("checked_by", "varchar(200)", (c) => c.notNull())
    .addColumn("request_id", "varchar(64)", (c) => c.notNull())
    .addColumn("code", "varchar(40)")
    .addColumn("upstream_status", "integer")
    .addColumn("upstream_text", "varchar(200)")
    .addColumn("retry_at", "bigint")
    .execute();

  await db.schema
    .alterTable("confirmed_configurations")
    .addColumn("client_id", "varchar(200)")
    .execute();
  await sql`update confirmed_configurations set client_id =
    (select client_id from connections where connections.id = connection_id)`.execute(db);
}

async function invitations(db: Schema) {
  await db.schema
    .createTable("invitations")
    .addColumn("id", "varchar(64)", (c) => c.primaryKey())
    .addColumn("partner_id", "varchar(40)", (c) => c.notNull().references("partners.id"))
    .addColumn("token_hash", "varchar(64)", (c) => c.notNull().unique())
    .addColumn("email", "varchar(320)", (c) => c.notNull())
    .addColumn("name", "varchar(200)")
    .addColumn("role", "varchar(16)", (c) => c.notNull())
    .addColumn("invited_by", "varchar(200)", (c) => c.notNull())
    .addColumn("invited_by_id", "varchar(64)", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("accepted_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema
    .createIndex("invitations_of_partner")
    .on("invitations")
    .columns(["partner_id", "created_at"])
    .execute();
}

export const connectionsAndInvitations: Migration = {
  async up(db: Schema) {
    await connections(db);
    await invitations(db);
  },
};
