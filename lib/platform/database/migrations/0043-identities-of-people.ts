import "server-only";
import type { Kysely, Migration } from "kysely";

/** The history reads the identities of one person while everybody else who signs in waits for it. */
export const identitiesOfPeople: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex("identities_of_user").on("identities").column("user_id").execute();
  },
};
