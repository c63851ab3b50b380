import "server-only";
import { sql } from "kysely";
import type { Executor } from "./open";
import { tables } from "./tables";

/**
 * The database itself refuses to edit the history, also for a program with a bug or a person with a console. It deletes
 * only what is behind a checkpoint, and lets the network address of an entry be set to null.
 */
export async function guardHistory(db: Executor, isPostgres: boolean): Promise<void> {
  const statements = isPostgres ? onPostgres : onSqlite;
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const behindCheckpoint =
  "exists (select 1 from history_checkpoints c where c.partner_id = old.partner_id and c.seq >= old.seq)";

const isErasure = [
  "new.client_address is null",
  ...Object.keys(tables.history.columns)
    .filter((column) => column !== "client_address")
    .map((column) => `new.${column} is not distinct from old.${column}`),
].join(" and ");

const onPostgres = [
  `create function history_is_append_only() returns trigger language plpgsql as
    $$ begin raise exception 'history is append-only'; end $$`,
  `create trigger history_append_only before truncate on history
    for each statement execute function history_is_append_only()`,
  `create trigger history_no_update before update on history
    for each row when (not (${isErasure})) execute function history_is_append_only()`,
  `create function history_is_behind_checkpoint() returns trigger language plpgsql as
    $$ begin
      if not ${behindCheckpoint} then raise exception 'history is append-only'; end if;
      return old;
    end $$`,
  `create trigger history_no_delete before delete on history
    for each row execute function history_is_behind_checkpoint()`,
  // The role that Gancho runs as may not even try.
  "revoke update, delete, truncate on history from current_user",
];

const refuse = "begin select raise(abort, 'history is append-only'); end";

const onSqlite = [
  `create trigger history_no_update before update on history when not (${isErasure}) ${refuse}`,
  `create trigger history_no_delete before delete on history when not ${behindCheckpoint} ${refuse}`,
  // "insert or replace" deletes without asking the trigger above.
  `create trigger history_no_replace before insert on history
    when exists (
      select 1 from history where id = new.id or (partner_id = new.partner_id and seq = new.seq)
    ) ${refuse}`,
];
