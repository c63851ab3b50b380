import "server-only";
import { sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";

/**
 * Which service the list of partners, and the last check of a connection, tell of; and presses of save that somebody was
 * told were not saved.
 */
export const placesOfWhatIsKnown: Migration = {
  async up(db: Schema) {
    const columns = { base_url: "varchar(2048)", client_id: "varchar(400)" } as const;
    for (const [column, type] of Object.entries(columns)) {
      await db.schema.alterTable("partner_overviews").addColumn(column, type).execute();
      await sql`update partner_overviews set ${sql.ref(column)} = (
        select known.${sql.ref(column)} from confirmed_configurations known
          join connections on connections.id = known.connection_id
          where connections.partner_id = partner_overviews.partner_id
            and connections.environment = partner_overviews.environment)`.execute(db);
    }

    await db.schema
      .alterTable("connection_checks")
      .addColumn("base_url", columns.base_url)
      .execute();

    await db.schema
      .createTable("void_operations")
      .addColumn("connection_id", id, (c) => c.notNull().references("connections.id"))
      .addColumn("operation_id", id, (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("void_operations_pk", ["connection_id", "operation_id"])
      .execute();
    await db.schema
      .createIndex("void_operations_by_age")
      .on("void_operations")
      .column("created_at")
      .execute();
  },
};
