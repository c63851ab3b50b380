import "server-only";
import { PostgresAdapter, sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

/**
 * Up to where the oldest entries of a chain were removed, signed. The database goes on refusing to delete an entry, but
 * for one behind a checkpoint; whether that is genuine its signature says.
 */
export const historyCheckpoints: Migration & { usableSince: string } = {
  usableSince: "0.1.0",
  async up(db: Schema) {
    await db.schema
      .createTable("history_checkpoints")
      .addColumn("partner_id", "varchar(40)", (c) => c.primaryKey())
      .addColumn("seq", "bigint", (c) => c.notNull())
      .addColumn("mac", "varchar(64)", (c) => c.notNull())
      .addColumn("statement", "text", (c) => c.notNull())
      .addColumn("public_key", "varchar(64)", (c) => c.notNull())
      .addColumn("signature", "varchar(100)", (c) => c.notNull())
      .execute();
    await (db.getExecutor().adapter instanceof PostgresAdapter ? onPostgres(db) : onSqlite(db));
  },
};

async function onPostgres(db: Schema) {
  await sql`create function history_is_behind_checkpoint() returns trigger language plpgsql as
    $$ begin
      if not exists (select 1 from history_checkpoints c where c.partner_id = old.partner_id and c.seq >= old.seq)
      then raise exception 'history is append-only'; end if;
      return old;
    end $$`.execute(db);
  await sql`drop trigger history_append_only on history`.execute(db);
  await sql`create trigger history_append_only before update or truncate on history
    for each statement execute function history_is_append_only()`.execute(db);
  await sql`create trigger history_no_delete before delete on history
    for each row execute function history_is_behind_checkpoint()`.execute(db);
}

async function onSqlite(db: Schema) {
  await sql`drop trigger history_no_delete`.execute(db);
  await sql`create trigger history_no_delete before delete on history
    when not exists (
      select 1 from history_checkpoints c where c.partner_id = old.partner_id and c.seq >= old.seq
    )
    begin select raise(abort, 'history is append-only'); end`.execute(db);
}
