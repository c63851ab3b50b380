import "server-only";
import type { Kysely, Migration } from "kysely";

/** Who does not want to see the first steps of an environment any more. */
export const firstSteps: Migration & { usableSince: string } = {
  usableSince: "0.1.0",
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("first_steps_away")
      .addColumn("user_id", "varchar(64)", (c) => c.notNull().references("users.id"))
      .addColumn("partner_id", "varchar(40)", (c) => c.notNull().references("partners.id"))
      .addColumn("environment", "varchar(40)", (c) => c.notNull())
      .addPrimaryKeyConstraint("first_steps_away_pk", ["user_id", "partner_id", "environment"])
      .execute();
  },
};
