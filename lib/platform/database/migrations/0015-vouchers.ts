import "server-only";
import { sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";

/**
 * Who let whom in, kept also when one of them leaves or comes back: in a membership's own row, the next word would
 * overwrite the one before it.
 */
export const vouchers: Migration = {
  async up(db: Schema) {
    await db.schema
      .createTable("vouchers")
      .addColumn("partner_id", "varchar(40)", (c) => c.notNull().references("partners.id"))
      .addColumn("user_id", id, (c) => c.notNull().references("users.id"))
      .addColumn("by_user_id", id, (c) => c.notNull().references("users.id"))
      .addPrimaryKeyConstraint("vouchers_pk", ["partner_id", "user_id", "by_user_id"])
      .execute();
    await sql`insert into vouchers (partner_id, user_id, by_user_id)
      select partner_id, user_id, vouched_by from memberships
      where vouched_by is not null and vouched_by <> user_id`.execute(db);
    await db.schema.alterTable("memberships").dropColumn("vouched_by").execute();
  },
};
