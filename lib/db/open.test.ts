import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { openDatabase } from "./open";
import { freshDatabaseUrl } from "./testing/fresh-database";

it.runIf(process.env["TEST_ENGINE"] === "postgres")(
  "survives a restart of the server: idle connections that were cut are replaced",
  async () => {
    const url = await freshDatabaseUrl();
    const [db, other] = [openDatabase(url), openDatabase(url)];
    await sql`select 1`.execute(db);
    const alive = async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(other);
      return rows.length;
    };
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(other);
    await vi.waitFor(async () => expect(await alive()).toBe(0));
    // The news of it has arrived when it can be used again.
    await vi.waitFor(() => sql`select 1`.execute(db));
    await db.destroy();
    await other.destroy();
  },
);
