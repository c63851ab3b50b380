import { sql, type Transaction } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forPrograms, withinMs, type DatabaseLimits } from "./deadline";
import { openDatabase, type Db } from "./open";
import type { Database } from "./tables";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { isDatabaseUnavailable } from "./unavailable";

/** Long: here the server is slow, and never dead. */
const limits: DatabaseLimits = { acquireMs: 20_000, statementMs: 20_000, lockMs: 0 };
const poolSize = 3;

const away = expect.toSatisfy(isDatabaseUnavailable) as unknown;

type Pid = { pid: number };

describe.runIf(process.env["TEST_ENGINE"] === "postgres")("PostgreSQL that is slow", () => {
  let url: string;
  let db: Db;
  let observer: Db;

  beforeEach(async () => {
    url = await migratedDatabaseUrl();
    db = openDatabase(url, { limits, poolSize });
    observer = openDatabase(url, { limits, poolSize: 2 });
  });
  afterEach(() => Promise.all([db.destroy(), observer.destroy()]));

  /** During `work`, no `slow` statement ends. */
  const whileSlow = (work: () => Promise<void>) =>
    observer.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(trx);
      await work();
    });
  const slow = (on: Db | Transaction<Database>) =>
    sql`select pg_advisory_xact_lock_shared(1)`.execute(on);
  /** Has a connection already, so that its little time is over once the server was asked. */
  const hasty = (on: Db) => on.connection().execute((own) => withinMs(100, () => slow(own)));

  const pidOf = async (on: Db) =>
    (await sql<Pid>`select pg_backend_pid() as pid, pg_sleep(0.05)`.execute(on)).rows[0]?.pid;
  const pids = async () =>
    new Set(await Promise.all(Array.from({ length: poolSize }, () => pidOf(db))));
  /** The connections that the server has for `db`. */
  const connections = async () => {
    const { rows } = await sql<Pid>`select pid from pg_stat_activity
      where datname = current_database() and query not like '%pg_stat_activity%'
      and query <> 'select pg_advisory_xact_lock(1)'`.execute(observer);
    return rows.length;
  };

  it("keeps its connections where callers have little time, and those who wait for one get it (threat: one late probe fails everybody's requests)", async () => {
    const before = await pids();
    const probes = openDatabase(url, { limits, poolSize: 1, forProbes: true });
    const waiting: Promise<unknown>[] = [];
    await whileSlow(async () => {
      waiting.push(slow(db), slow(db));
      const given = [hasty(db), hasty(probes)].map((end) => expect(end).rejects.toEqual(away));
      waiting.push(...Array.from({ length: poolSize }, () => sql`select 1`.execute(db)));
      await Promise.all(given);
    });
    await Promise.all(waiting);
    expect(await pids()).toEqual(before);
    await probes.destroy();
  });

  it("is asked no more at once than the pool has connections, however soon callers give up, and however many connections break", async () => {
    const waiting: Promise<unknown>[] = [];
    await whileSlow(async () => {
      for (let round = 0; round < 2 * poolSize; round++) {
        waiting.push(slow(db));
        await expect(withinMs(100, () => slow(db))).rejects.toEqual(away);
      }
      await expect.poll(connections).toBeLessThanOrEqual(poolSize);
    });
    await Promise.all(waiting.splice(0));
    const breaks = () => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
    await whileSlow(async () => {
      for (let round = 0; round < 2 * poolSize; round++) {
        waiting.push(slow(db));
        await expect(withinMs(200, breaks)).rejects.toEqual(away);
      }
      await expect.poll(connections).toBeLessThanOrEqual(poolSize);
    });
    await Promise.all(waiting);
  });

  it("rolls back a transaction whose statement was given up, and gives its connection to nobody", async () => {
    const one = openDatabase(url, { limits, poolSize: 1 });
    let pid: number | undefined;
    await whileSlow(async () => {
      const failing = one.transaction().execute(async (trx) => {
        pid = await pidOf(trx);
        await trx.insertInto("markers").values({ name: "given up", done_at: 1 }).execute();
        await withinMs(100, () => slow(trx));
      });
      await expect(failing).rejects.toEqual(away);
    });
    expect(await pidOf(one)).not.toBe(pid);
    const open = sql<Pid>`select pid from pg_stat_activity where pid = ${pid}`;
    await expect.poll(async () => (await open.execute(observer)).rows).toEqual([]);
    expect(await one.selectFrom("markers").select("name").execute()).toEqual([]);
    await one.destroy();
  });

  it("does not keep a program that ends waiting for what it gave up", async () => {
    const program = openDatabase(url, { limits: forPrograms, poolSize });
    await whileSlow(async () => {
      await expect(hasty(program)).rejects.toEqual(away);
      await program.destroy();
    });
  });
});
