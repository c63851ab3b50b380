import "server-only";
import { PostgresAdapter, sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";

/** How each session was begun, and an index for clearing away those that are long over. */
async function sessions(db: Schema) {
  await db.schema
    .alterTable("sessions")
    .addColumn("signed_in_by", "varchar(20)", (c) => c.notNull().defaultTo("password"))
    .execute();
  await db.schema
    .createIndex("sessions_over")
    .on("sessions")
    .column("absolute_expires_at")
    .execute();
}

async function oneTimeCodes(db: Schema) {
  await db.schema
    .createTable("one_time_codes")
    .addColumn("user_id", id, (c) => c.primaryKey().references("users.id"))
    .addColumn("secret_ciphertext", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("confirmed_at", "bigint")
    .addColumn("last_step", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("recovery_codes")
    .addColumn("user_id", id, (c) => c.notNull().references("users.id"))
    .addColumn("code_hash", id, (c) => c.notNull())
    .addColumn("used_at", "bigint")
    .addPrimaryKeyConstraint("recovery_codes_pk", ["user_id", "code_hash"])
    .execute();
}

async function halfSignedIn(db: Schema) {
  await db.schema
    .createTable("pending_sign_ins")
    .addColumn("id_hash", id, (c) => c.primaryKey())
    .addColumn("user_id", id, (c) => c.notNull().references("users.id"))
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("pending_sign_ins_over")
    .on("pending_sign_ins")
    .column("expires_at")
    .execute();
}

/**
 * Data keys belong to whatever has secrets, no longer to partners alone. SQLite cannot take a reference away: the table
 * is made anew, with its index.
 */
async function dataKeys(db: Schema) {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`alter table data_keys drop constraint data_keys_partner_id_fkey`.execute(db);
    return;
  }
  await sql`alter table data_keys rename to old_data_keys`.execute(db);
  await sql`drop index if exists data_keys_by_wrapping_key`.execute(db);
  await db.schema
    .createTable("data_keys")
    .addColumn("id", id, (c) => c.primaryKey())
    .addColumn("partner_id", "varchar(40)", (c) => c.notNull().unique())
    .addColumn("wrapping_key_id", id, (c) => c.notNull())
    .addColumn("wrapped", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await sql`insert into data_keys (id, partner_id, wrapping_key_id, wrapped, created_at)
    select id, partner_id, wrapping_key_id, wrapped, created_at from old_data_keys`.execute(db);
  await db.schema.dropTable("old_data_keys").execute();
  await db.schema
    .createIndex("data_keys_by_wrapping_key")
    .on("data_keys")
    .column("wrapping_key_id")
    .execute();
}

export const secondFactor: Migration = {
  async up(db: Schema) {
    await sessions(db);
    await oneTimeCodes(db);
    await halfSignedIn(db);
    await dataKeys(db);
  },
};
