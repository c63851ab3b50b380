import "server-only";
import { env } from "@/lib/platform/env/env";
import { sql, type Expression, type RawBuilder } from "kysely";
import { db, isPostgres, type Executor } from "./open";

/**
 * Milliseconds on a clock that all processes of this database share and that no change of our machines' time of day
 * affects, as a fragment for a statement. Only differences mean anything.
 *
 * PostgreSQL: the server's clock. SQLite: the time since this machine started, which all processes with the file open
 * share; it restarts with the machine, so a stored time may be in the future. `onSqlite`: that time, where the statement
 * is `prepared` and gets it each time.
 */
export function steadyNow(
  onSqlite: number | Expression<number> = sinceStart(),
): RawBuilder<number> {
  return isPostgres(env().databaseUrl.reveal())
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${onSqlite} as integer)`;
}

/** The same clock, read now; within a transaction through it. */
export async function readSteadyClock(executor: Executor = db()): Promise<number> {
  if (!isPostgres(env().databaseUrl.reveal())) return sinceStart();
  const { rows } = await sql<{ now: number }>`select ${steadyNow()} as now`.execute(executor);
  const [row] = rows;
  if (!row) throw new Error("the database did not return its time");
  return row.now;
}

/**
 * The time of day by which waiting things expire, as a fragment: a jump of one instance's clock must expire nothing.
 * PostgreSQL: the server's clock. SQLite: ours, but at most this process's start plus its age; a process that started
 * with its clock behind lets things wait for that much longer.
 */
export function timeOfDay(): RawBuilder<number> {
  if (isPostgres(env().databaseUrl.reveal())) return steadyNow();
  const lived = performance.timeOrigin + performance.now();
  return sql<number>`cast(${Math.floor(Math.min(Date.now(), lived))} as integer)`;
}

/**
 * How long ago `moment` at least was: one from before a restart of the machine counts from that restart, and one that is
 * ahead of PostgreSQL's clock, which was set back, from now.
 */
export function elapsedSince(moment: number, now: number): number {
  if (moment <= now) return now - moment;
  return isPostgres(env().databaseUrl.reveal()) ? 0 : now;
}

/** The steady clock on SQLite. */
export function sinceStart(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
