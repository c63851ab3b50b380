import "server-only";
import type { Kysely, Migration } from "kysely";

/** Which account at which OpenID Connect issuer is whose here. */
export const identities: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("identities")
      .addColumn("issuer", "varchar(400)", (c) => c.notNull())
      .addColumn("subject", "varchar(255)", (c) => c.notNull())
      .addColumn("user_id", "varchar(64)", (c) => c.notNull().references("users.id"))
      .addColumn("linked_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("identities_pk", ["issuer", "subject"])
      .addUniqueConstraint("identities_one_per_user", ["issuer", "user_id"])
      .execute();
  },
};
