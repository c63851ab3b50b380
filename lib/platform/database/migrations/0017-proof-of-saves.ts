import "server-only";
import { sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";

/** What a save is followed by, what a service's list is known to show, and which service each of these belongs to. */
export const proofOfSaves: Migration = {
  async up(db: Schema) {
    const { schema } = db;
    await schema.alterTable("saves").addColumn("operation_id", id).execute();
    await schema.alterTable("saves").addColumn("base_url", "varchar(2048)").execute();
    await schema.alterTable("saves").addColumn("client_id", "varchar(400)").execute();
    await schema.alterTable("saves").addColumn("outcome", "varchar(16)").execute();
    await schema.alterTable("saves").addColumn("answers_json", "text").execute();
    await schema.alterTable("saves").addColumn("results_json", "text").execute();
    await schema.alterTable("saves").addColumn("reason", "varchar(40)").execute();
    await schema.alterTable("saves").addColumn("next_look_at", "bigint").execute();
    await schema
      .createIndex("saves_of_operation")
      .unique()
      .on("saves")
      .columns(["connection_id", "operation_id"])
      .execute();
    await sql`update saves set state = 'open', outcome = 'unknown' where state = 'unknown'`.execute(
      db,
    );
    await sql`update saves set next_look_at = 0 where state <> 'closed'`.execute(db);
    await schema
      .createIndex("saves_to_follow")
      .on("saves")
      .column("next_look_at")
      .where(sql.ref("state"), "!=", sql.lit("closed"))
      .execute();

    await schema
      .alterTable("leases")
      .addColumn("fence", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();

    await schema
      .alterTable("confirmed_configurations")
      .addColumn("base_url", "varchar(2048)")
      .execute();
    await schema
      .alterTable("confirmed_configurations")
      .addColumn("asked_at", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();

    // Tokens are asked for anew: which service the kept ones came from is not known.
    await sql`delete from tokens`.execute(db);
    await schema
      .alterTable("tokens")
      .addColumn("service", id, (c) => c.notNull().defaultTo(""))
      .execute();

    await schema.alterTable("proposals").addColumn("operation_id", id).execute();
  },
};
