import "server-only";
import type { Kysely, Migration } from "kysely";

/** When a session's person gave the password again, and when each person was shown an Authorization value lately. */
export const reveals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("sessions").addColumn("reauthenticated_at", "bigint").execute();
    await db.schema
      .createTable("reveal_turns")
      .addColumn("id", "varchar(64)", (c) => c.primaryKey())
      .addColumn("user_id", "varchar(64)", (c) => c.notNull().references("users.id"))
      .addColumn("taken_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("reveal_turns_of_person")
      .on("reveal_turns")
      .columns(["user_id", "taken_at"])
      .execute();
  },
};
