import "server-only";
import type { Kysely, Migration } from "kysely";

/** How far each audit stream has got with each chain of the history. */
export const auditCursors: Migration & { usableSince: string } = {
  usableSince: "0.1.0",
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("audit_cursors")
      .addColumn("stream", "varchar(40)", (c) => c.notNull())
      .addColumn("chain", "varchar(40)", (c) => c.notNull())
      .addColumn("seq", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("audit_cursors_pk", ["stream", "chain"])
      .execute();
  },
};
