import "server-only";
import { sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

/** What processes that share the database tell each other about the keys of ENCRYPTION_KEYS; never the keys. */
export const wrappingKeys: Migration = {
  async up(db: Schema) {
    await db.schema
      .createTable("wrapping_keys")
      .addColumn("id", "varchar(64)", (c) => c.primaryKey())
      .addColumn("proof", "text")
      .addColumn("retired_at", "bigint")
      .execute();
    await sql`insert into wrapping_keys (id)
      select distinct wrapping_key_id from data_keys`.execute(db);
    await db.schema
      .createIndex("data_keys_by_wrapping_key")
      .on("data_keys")
      .column("wrapping_key_id")
      .execute();
  },
};
