import "server-only";
import type { Kysely, Migration } from "kysely";

type Schema = Kysely<unknown>;

const name = "varchar(200)";

/** How a proposal ended, until its author has seen it. Those that ended before this are in the history only. */
export const endedProposals: Migration = {
  async up(db: Schema) {
    const add = (column: string, type: "bigint" | `varchar(${number})`) =>
      db.schema.alterTable("proposals").addColumn(column, type).execute();
    await add("ended_at", "bigint");
    await add("ended_by_id", "varchar(64)");
    await add("ended_by", name);
    await add("end_reason", name);
    await add("dismissed_at", "bigint");
    await db.schema
      .createIndex("proposals_of_author")
      .on("proposals")
      .columns(["author_id", "partner_id", "environment"])
      .execute();
  },
};
