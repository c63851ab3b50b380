import "server-only";
import type { Kysely, Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";

/** Passkeys, the challenges that wait for their signature, and in which sessions one was used. */
export const passkeys: Migration = {
  async up(db: Schema) {
    await db.schema
      .createTable("passkeys")
      .addColumn("id", id, (c) => c.primaryKey())
      .addColumn("user_id", id, (c) => c.notNull().references("users.id"))
      .addColumn("credential_id", "text", (c) => c.notNull())
      .addColumn("public_key", "text", (c) => c.notNull())
      .addColumn("counter", "bigint", (c) => c.notNull())
      .addColumn("transports", "varchar(100)", (c) => c.notNull())
      .addColumn("name", "varchar(100)", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("last_used_at", "bigint")
      .execute();
    await db.schema.createIndex("passkeys_of").on("passkeys").column("user_id").execute();
    await db.schema
      .createTable("passkey_challenges")
      .addColumn("challenge_hash", id, (c) => c.primaryKey())
      .addColumn("holder_hash", id, (c) => c.notNull())
      .addColumn("purpose", "varchar(20)", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("passkey_challenges_over")
      .on("passkey_challenges")
      .column("expires_at")
      .execute();
    await db.schema.alterTable("sessions").addColumn("passkey_at", "bigint").execute();
  },
};
