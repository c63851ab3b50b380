import "server-only";
import { PostgresAdapter, sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

/** The past is filtered in these alone, without a look at the rows: whatever is asked for, and however little of it there is. */
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

/**
 * Further hurdles before an edited past. PostgreSQL: the role that Gancho runs as may not even try. SQLite: "insert or
 * replace" deletes without asking the triggers for deletion, so an insert over an entry is refused as well.
 */
async function hurdles(db: Schema) {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`revoke update, delete, truncate on history from current_user`.execute(db);
    return;
  }
  await sql`create trigger history_no_replace before insert on history
    when exists (
      select 1 from history
      where id = new.id or (partner_id = new.partner_id and seq = new.seq)
    )
    begin select raise(abort, 'history is append-only'); end`.execute(db);
}

export const historyReading: Migration = {
  async up(db: Schema) {
    await indexes(db);
    await hurdles(db);
  },
};
