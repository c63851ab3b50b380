import "server-only";
import { PostgresAdapter, sql, type Kysely, type Migration } from "kysely";

/** Migrations see the schema as it was when they were written, so they know no table types. */
type Schema = Kysely<unknown>;

const id = "varchar(64)";

async function people(db: Schema) {
  await db.schema
    .createTable("users")
    .addColumn("id", id, (c) => c.primaryKey())
    .addColumn("email", "varchar(320)", (c) => c.notNull().unique())
    .addColumn("name", "varchar(200)", (c) => c.notNull())
    .addColumn("password_hash", "text")
    .addColumn("staff_role", "varchar(16)")
    .addColumn("disabled_at", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id_hash", id, (c) => c.primaryKey())
    .addColumn("user_id", id, (c) => c.notNull().references("users.id"))
    .addColumn("signed_in_at", "bigint", (c) => c.notNull())
    .addColumn("last_seen_at", "bigint", (c) => c.notNull())
    .addColumn("absolute_expires_at", "bigint", (c) => c.notNull())
    .addColumn("revoked_at", "bigint")
    .addColumn("client_address", "varchar(64)")
    .addColumn("user_agent", "varchar(400)")
    .execute();
  await db.schema.createIndex("sessions_of_user").on("sessions").column("user_id").execute();
}

async function partners(db: Schema) {
  await db.schema
    .createTable("partners")
    .addColumn("id", "varchar(40)", (c) => c.primaryKey())
    .addColumn("name", "varchar(200)", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("suspended_at", "bigint")
    .execute();
  await db.schema
    .createTable("memberships")
    .addColumn("partner_id", "varchar(40)", (c) => c.notNull().references("partners.id"))
    .addColumn("user_id", id, (c) => c.notNull().references("users.id"))
    .addColumn("role", "varchar(16)", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("memberships_pk", ["partner_id", "user_id"])
    .execute();
  await db.schema.createIndex("memberships_of_user").on("memberships").column("user_id").execute();
  await db.schema
    .createTable("data_keys")
    .addColumn("id", id, (c) => c.primaryKey())
    .addColumn("partner_id", "varchar(40)", (c) => c.notNull().unique().references("partners.id"))
    .addColumn("wrapping_key_id", id, (c) => c.notNull())
    .addColumn("wrapped", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("connections")
    .addColumn("id", id, (c) => c.primaryKey())
    .addColumn("partner_id", "varchar(40)", (c) => c.notNull().references("partners.id"))
    .addColumn("environment", "varchar(40)", (c) => c.notNull())
    .addColumn("client_id", "varchar(200)", (c) => c.notNull())
    .addColumn("secret_ciphertext", "text", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("connections_one_each", ["partner_id", "environment"])
    .execute();
}

async function webhooks(db: Schema) {
  await db.schema
    .createTable("confirmed_configurations")
    .addColumn("connection_id", id, (c) => c.primaryKey().references("connections.id"))
    .addColumn("confirmed_at", "bigint", (c) => c.notNull())
    .addColumn("epoch", "integer", (c) => c.notNull())
    .addColumn("snapshot_json", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("saves")
    .addColumn("id", id, (c) => c.primaryKey())
    .addColumn("connection_id", id, (c) => c.notNull().references("connections.id"))
    .addColumn("partner_id", "varchar(40)", (c) => c.notNull().references("partners.id"))
    .addColumn("environment", "varchar(40)", (c) => c.notNull())
    .addColumn("request_id", id, (c) => c.notNull())
    .addColumn("actor_id", id, (c) => c.notNull())
    .addColumn("actor_name", "varchar(200)", (c) => c.notNull())
    .addColumn("client_address", "varchar(64)")
    .addColumn("state", "varchar(16)", (c) => c.notNull())
    .addColumn("wish_json", "text", (c) => c.notNull())
    .addColumn("before_json", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("closed_at", "bigint")
    .execute();
  await db.schema
    .createIndex("saves_open")
    .on("saves")
    .columns(["connection_id", "created_at"])
    .where(sql.ref("state"), "!=", sql.lit("closed"))
    .execute();
  await db.schema
    .createTable("leases")
    .addColumn("name", "varchar(80)", (c) => c.primaryKey())
    .addColumn("holder", id, (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
}

async function history(db: Schema) {
  await db.schema
    .createTable("history")
    .addColumn("partner_id", "varchar(40)", (c) => c.notNull().references("partners.id"))
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("id", id, (c) => c.notNull().unique())
    .addColumn("environment", "varchar(40)")
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("kind", "varchar(40)", (c) => c.notNull())
    .addColumn("types", "varchar(40)", (c) => c.notNull())
    .addColumn("actor_id", id)
    .addColumn("actor_name", "varchar(200)")
    .addColumn("client_address", "varchar(64)")
    .addColumn("request_id", id)
    .addColumn("outcome", "varchar(40)")
    .addColumn("detail_json", "text", (c) => c.notNull())
    .addColumn("mac", id, (c) => c.notNull())
    .addPrimaryKeyConstraint("history_pk", ["partner_id", "seq"])
    .execute();
  await db.schema
    .createTable("history_heads")
    .addColumn("partner_id", "varchar(40)", (c) => c.primaryKey().references("partners.id"))
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("mac", id, (c) => c.notNull())
    .execute();
}

/** The database itself refuses to edit the past, also for a program with a bug or a person with a console. */
async function appendOnly(db: Schema) {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`create function history_is_append_only() returns trigger language plpgsql as
      $$ begin raise exception 'history is append-only'; end $$`.execute(db);
    await sql`create trigger history_append_only before update or delete or truncate on history
      for each statement execute function history_is_append_only()`.execute(db);
    return;
  }
  for (const verb of ["update", "delete"]) {
    await sql`create trigger ${sql.raw(`history_no_${verb}`)} before ${sql.raw(verb)} on history
      begin select raise(abort, 'history is append-only'); end`.execute(db);
  }
}

export const firstTables: Migration = {
  async up(db: Schema) {
    await people(db);
    await partners(db);
    await webhooks(db);
    await history(db);
    await appendOnly(db);
    await db.schema
      .createTable("markers")
      .addColumn("name", id, (c) => c.primaryKey())
      .addColumn("done_at", "bigint", (c) => c.notNull())
      .execute();
  },
};
