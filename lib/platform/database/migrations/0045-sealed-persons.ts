import "server-only";
import { PostgresAdapter, sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

/**
 * What the history says of a person stands there sealed, which takes more room than a name; and a link says by its maker's
 * id whose name it has.
 */
export const sealedPersons: Migration & { usableSince: string } = {
  usableSince: "0.1.0",
  async up(db: Schema) {
    await db.schema.alterTable("password_links").addColumn("made_by_id", "varchar(64)").execute();
    // SQLite's own columns have no length.
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    for (const column of ["actor_name", "client_address"])
      await sql`alter table history alter column ${sql.ref(column)} type text`.execute(db);
  },
};
