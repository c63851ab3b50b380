import "server-only";
import type { Kysely, Migration } from "kysely";

type Schema = Kysely<unknown>;

/** Support finds a partner by what a caller quotes: a request's id, or the client id. */
export const partnerLookups: Migration = {
  async up(db: Schema) {
    await db.schema.createIndex("history_requests").on("history").column("request_id").execute();
    await db.schema
      .createIndex("connections_clients")
      .on("connections")
      .column("client_id")
      .execute();
  },
};
