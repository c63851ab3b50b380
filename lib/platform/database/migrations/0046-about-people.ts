import "server-only";
import { sql, type Kysely, type Migration } from "kysely";

/** What others did about a person is found without a look at everybody's sign-ins. An index and nothing else. */
export const aboutPeople: Migration & { usableSince: string } = {
  usableSince: "0.1.0",
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex("history_of_people")
      .on("history")
      .columns(["kind", "seq"])
      .where(sql.ref("partner_id"), "=", sql.lit("@people"))
      .execute();
  },
};
