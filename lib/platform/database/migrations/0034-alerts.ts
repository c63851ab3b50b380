import "server-only";
import type { Kysely, Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";

/** What is to be told to people and to the operators' webhook, who does not want which of it, and in which language. */
export const alerts: Migration = {
  async up(db: Schema) {
    await db.schema
      .createTable("alert_deliveries")
      .addColumn("id", id, (c) => c.primaryKey())
      .addColumn("alert_id", id, (c) => c.notNull())
      .addColumn("kind", id, (c) => c.notNull())
      .addColumn("data_json", "text", (c) => c.notNull())
      .addColumn("recipient", id, (c) => c.notNull())
      .addColumn("channel", "varchar(16)", (c) => c.notNull())
      .addColumn("once_key", "varchar(200)")
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("state", "varchar(16)", (c) => c.notNull())
      .addColumn("due_at", "bigint", (c) => c.notNull())
      .addColumn("claim", id)
      .addColumn("attempts", "integer", (c) => c.notNull())
      .addColumn("fault", id)
      .addColumn("ended_at", "bigint")
      .execute();
    await db.schema
      .createIndex("alert_deliveries_due")
      .on("alert_deliveries")
      .columns(["state", "channel", "due_at"])
      .execute();
    await db.schema
      .createIndex("alert_deliveries_ended")
      .on("alert_deliveries")
      .columns(["state", "ended_at"])
      .execute();
    await db.schema
      .createIndex("alert_deliveries_once")
      .unique()
      .on("alert_deliveries")
      .columns(["once_key", "recipient"])
      .execute();
    await db.schema
      .createTable("alerts_off")
      .addColumn("user_id", id, (c) => c.notNull().references("users.id"))
      .addColumn("choice", id, (c) => c.notNull())
      .addPrimaryKeyConstraint("alerts_off_pk", ["user_id", "choice"])
      .execute();
    await db.schema.alterTable("users").addColumn("locale", "varchar(16)").execute();
  },
};
