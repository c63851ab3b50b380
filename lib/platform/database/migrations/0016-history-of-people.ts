import "server-only";
import { PostgresAdapter, sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";

/**
 * A chain belongs to a partner or to the people of the installation, no longer to partners alone. SQLite cannot take a
 * reference away: the tables are made anew, entry by entry as they were, with their indexes and triggers.
 */
export const historyOfPeople: Migration = {
  async up(db: Schema) {
    if (db.getExecutor().adapter instanceof PostgresAdapter) {
      for (const table of ["history", "history_heads"])
        await sql`alter table ${sql.table(table)} drop constraint ${sql.id(`${table}_partner_id_fkey`)}`.execute(
          db,
        );
      return;
    }
    for (const trigger of ["history_no_update", "history_no_delete", "history_no_replace"])
      await sql`drop trigger ${sql.id(trigger)}`.execute(db);
    for (const index of ["history_filters", "history_actors"])
      await db.schema.dropIndex(index).execute();
    await entries(db);
    await heads(db);
    await indexes(db);
    await appendOnly(db);
  },
};

async function entries(db: Schema) {
  await sql`alter table history rename to old_history`.execute(db);
  await db.schema
    .createTable("history")
    .addColumn("partner_id", "varchar(40)", (c) => c.notNull())
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("id", id, (c) => c.notNull().unique())
    .addColumn("environment", "varchar(40)")
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("kind", "varchar(40)", (c) => c.notNull())
    .addColumn("types", "varchar(40)", (c) => c.notNull())
    .addColumn("actor_id", id)
    .addColumn("actor_name", "varchar(200)")
    .addColumn("client_address", "varchar(64)")
    .addColumn("request_id", id)
    .addColumn("outcome", "varchar(40)")
    .addColumn("detail_json", "text", (c) => c.notNull())
    .addColumn("mac", id, (c) => c.notNull())
    .addPrimaryKeyConstraint("history_pk", ["partner_id", "seq"])
    .execute();
  await sql`insert into history
      (partner_id, seq, id, environment, at, kind, types, actor_id, actor_name, client_address,
       request_id, outcome, detail_json, mac)
    select partner_id, seq, id, environment, at, kind, types, actor_id, actor_name, client_address,
      request_id, outcome, detail_json, mac
    from old_history`.execute(db);
  await db.schema.dropTable("old_history").execute();
}

async function heads(db: Schema) {
  await sql`alter table history_heads rename to old_history_heads`.execute(db);
  await db.schema
    .createTable("history_heads")
    .addColumn("partner_id", "varchar(40)", (c) => c.primaryKey())
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("mac", id, (c) => c.notNull())
    .execute();
  await sql`insert into history_heads (partner_id, seq, mac)
    select partner_id, seq, mac from old_history_heads`.execute(db);
  await db.schema.dropTable("old_history_heads").execute();
}

async function indexes(db: Schema) {
  await db.schema
    .createIndex("history_filters")
    .on("history")
    .columns([
      "partner_id",
      "seq",
      "environment",
      "kind",
      "types",
      "outcome",
      "actor_id",
      "at",
      "request_id",
    ])
    .execute();
  await db.schema
    .createIndex("history_actors")
    .on("history")
    .columns(["partner_id", "actor_id", "seq"])
    .execute();
}

async function appendOnly(db: Schema) {
  for (const verb of ["update", "delete"])
    await sql`create trigger ${sql.raw(`history_no_${verb}`)} before ${sql.raw(verb)} on history
      begin select raise(abort, 'history is append-only'); end`.execute(db);
  await sql`create trigger history_no_replace before insert on history
    when exists (
      select 1 from history
      where id = new.id or (partner_id = new.partner_id and seq = new.seq)
    )
    begin select raise(abort, 'history is append-only'); end`.execute(db);
}
