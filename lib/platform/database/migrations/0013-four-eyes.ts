import "server-only";
import type { Kysely, Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";
const name = "varchar(200)";

async function proposals(db: Schema) {
  await db.schema
    .createTable("proposals")
    .addColumn("id", id, (c) => c.primaryKey())
    .addColumn("partner_id", "varchar(40)", (c) => c.notNull().references("partners.id"))
    .addColumn("environment", "varchar(40)", (c) => c.notNull())
    .addColumn("applies_to", "varchar(16)", (c) => c.notNull())
    .addColumn("url", "varchar(255)", (c) => c.notNull())
    .addColumn("authorization_action", "varchar(16)", (c) => c.notNull())
    .addColumn("value_ciphertext", "text")
    .addColumn("basis_json", "text", (c) => c.notNull())
    .addColumn("confirmed", "integer", (c) => c.notNull())
    .addColumn("reason", name)
    .addColumn("author_id", id, (c) => c.notNull().references("users.id"))
    .addColumn("author_name", name, (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("state", "varchar(16)", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("proposals_of_place")
    .on("proposals")
    .columns(["partner_id", "environment", "state"])
    .execute();
}

/** Changes that take two people: where they do, which ones wait, and on whose word each person stands. */
export const fourEyes: Migration = {
  async up(db: Schema) {
    await db.schema
      .createTable("four_eyes")
      .addColumn("partner_id", "varchar(40)", (c) => c.primaryKey().references("partners.id"))
      .addColumn("since", "bigint", (c) => c.notNull())
      .addColumn("switched_on_by", name, (c) => c.notNull())
      .addColumn("off_asked_by", id)
      .addColumn("off_asked_name", name)
      .addColumn("off_asked_at", "bigint")
      .execute();
    await proposals(db);
    await db.schema.alterTable("saves").addColumn("proposal_json", "text").execute();
    await db.schema.alterTable("memberships").addColumn("vouched_by", id).execute();
  },
};
