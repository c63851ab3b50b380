import "server-only";
import type { Kysely, Migration } from "kysely";

/** Which releases can work with what a migration left: read by those that do not know the migration itself. */
export const usableSince: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("migration_uses")
      .addColumn("migration", "varchar(255)", (c) => c.primaryKey())
      .addColumn("usable_since", "varchar(40)", (c) => c.notNull())
      .execute();
  },
};
