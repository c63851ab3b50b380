import { sql, type Transaction } from "kysely";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { withinMs, type DatabaseLimits } from "./deadline";
import { openDatabase, type Db } from "./open";
import type { Database } from "./tables";
import { faultyNetwork } from "@/lib/platform/database/testing/faulty-network";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { otherProcess } from "@/lib/platform/database/testing/other-process";
import { renderMetrics } from "@/lib/platform/metrics/metrics";
import {
  DatabaseUnavailable,
  isDatabaseUnavailable,
  unavailable,
  watchingWrites,
  type Reason,
} from "./unavailable";

async function failures(reason: Reason): Promise<number> {
  const { text } = await renderMetrics();
  const line = new RegExp(`^gancho_database_failures_total\\{reason="${reason}"\\} (\\d+)$`, "m");
  return Number(line.exec(text)?.[1] ?? 0);
}

/** Short, so that the tests are; the ratio between them is that of requests. */
const limits: DatabaseLimits = { acquireMs: 800, statementMs: 1_000, lockMs: 1_000 };

const away = expect.toSatisfy(isDatabaseUnavailable) as unknown;

async function took(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work.catch(() => undefined);
  return performance.now() - began;
}

const mark = (db: Db | Transaction<Database>, name: string) =>
  db.insertInto("markers").values({ name, done_at: 1 }).execute();
const marks = async (db: Db) =>
  (await db.selectFrom("markers").select("name").orderBy("name").execute()).map((row) => row.name);

it.each<[string, object, Reason | null]>([
  ["a lock of another process", { code: "SQLITE_BUSY_SNAPSHOT" }, "locked"],
  ["a full disk", { code: "SQLITE_FULL" }, "disk_full"],
  ["a broken disk", { code: "SQLITE_IOERR_FSYNC" }, "no_answer"],
  ["a rule of the tables", { code: "SQLITE_CONSTRAINT_UNIQUE" }, null],
  ["a full disk of the server's", { code: "53100", severity: "ERROR" }, "disk_full"],
  ["connections used up", { code: "53300", severity: "FATAL" }, "no_answer"],
  ["a server that was demoted", { code: "25006", severity: "ERROR" }, "read_only"],
  ["two that wait for each other", { code: "40P01", severity: "ERROR" }, "locked"],
  ["a rule of the server's tables", { code: "23505", severity: "ERROR" }, null],
  ["a broken connection", { code: "ECONNRESET" }, "no_answer"],
  ["silence", {}, "no_answer"],
])("one rule says of both databases what %s is to a caller", (_what, fields, reason) => {
  const thrown = Object.assign(new Error("x"), fields);
  const found = unavailable(thrown);
  if (reason === null) expect(found).toBe(thrown);
  else expect(found).toMatchObject({ name: "DatabaseUnavailable", reason, cause: thrown });
});

it("takes a mistake of our own for no outage", () => {
  const mistake = new TypeError("cannot be sent");
  expect(unavailable(mistake)).toBe(mistake);
  const known = new DatabaseUnavailable("locked", "x");
  expect(unavailable(known)).toBe(known);
});

describe.runIf(process.env["TEST_ENGINE"] === "postgres")("PostgreSQL that falls silent", () => {
  let url: string;
  let network: Awaited<ReturnType<typeof faultyNetwork>>;
  let db: Db;

  beforeAll(async () => {
    url = await migratedDatabaseUrl();
  });

  beforeEach(async () => {
    network = await faultyNetwork(url);
    db = openDatabase(network.url, { limits, poolSize: 5 });
    // Several idle connections, all of which will fall silent at once.
    await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.05)`.execute(db)));
  });
  afterEach(async () => {
    await db.destroy();
    await network.stop();
  });

  it("counts all work that it fails, also where there is no connection (threat: an outage that no alert rule sees)", async () => {
    const before = await failures("no_answer");
    network.swallow({ newOnes: true });
    for (let round = 0; round < 2; round++) {
      const works = [
        ...Array.from({ length: 4 }, () => sql`select 1`.execute(db)),
        db.transaction().execute((trx) => mark(trx, "never")),
      ];
      const ended = await Promise.allSettled(works);
      expect(ended.map(({ status }) => status)).toEqual(works.map(() => "rejected"));
    }
    expect((await failures("no_answer")) - before).toBe(10);
  });

  it("ends everything in flight in time, transactions included, and frees every place in the pool", async () => {
    let begun = 0;
    const attempts = Array.from({ length: 20 }, (_, n) =>
      db.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx);
        if (++begun === 5) network.swallow({ newOnes: false });
        // Nothing goes on before the network is silent.
        while (begun < 5) await sql`select 1`.execute(trx);
        await mark(trx, `lost ${n}`);
      }),
    );
    const ends = await Promise.all(
      attempts.map((attempt) =>
        attempt.then(
          () => "done",
          (error: unknown) => (isDatabaseUnavailable(error) ? "away" : error),
        ),
      ),
    );
    for (const end of ends) expect(["away", "done"]).toContain(end);
    const lost = ends.flatMap((end, n) => (end === "away" ? [`lost ${n}`] : []));
    expect(lost.length).toBeGreaterThanOrEqual(5);
    const kept = await marks(db);
    for (const name of lost) expect(kept).not.toContain(name);
    await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.05)`.execute(db)));
  });

  it("waits no longer than an earlier deadline, for a statement or a connection, and leaves a server that kept silent for longer", async () => {
    const own = <Result>(work: () => Promise<Result>) => withinMs(100, work);
    network.swallow({ newOnes: true });
    for (let times = 0; times < 6; times++) {
      const asking = own(() => sql`select 1`.execute(db));
      expect(await took(asking)).toBeLessThan(limits.acquireMs);
      await expect(asking).rejects.toEqual(away);
    }
    network.heal();
    // The statements that nobody waits for any more began before this.
    await after(limits.statementMs);
    await sql`select 1`.execute(db);
  });

  it("serves those who wait for a connection, once one that kept silent has been replaced (threat: a failover that fails whoever waited)", async () => {
    const patient = openDatabase(network.url, {
      limits: { ...limits, acquireMs: 60_000 },
      poolSize: 2,
    });
    await Promise.all([1, 2].map(() => sql`select pg_sleep(0.05)`.execute(patient)));
    network.swallow({ newOnes: false });
    const lost = [1, 2].map(() => sql`select 1`.execute(patient));
    const waiting = [1, 2, 3, 4].map(() => sql`select 1`.execute(patient));
    await Promise.all(lost.map((statement) => expect(statement).rejects.toEqual(away)));
    await Promise.all(waiting);
    await patient.destroy();
  });

  it("keeps the error of a transaction that also lost its connection", async () => {
    const failing = db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      network.swallow({ newOnes: false });
      throw new Error("changed one's mind");
    });
    await expect(failing).rejects.toThrow("changed one's mind");
    await sql`select 1`.execute(db);
  });

  it("distinguishes what certainly was not written from what may have been", async () => {
    const mayHave = (work: () => Promise<unknown>) =>
      watchingWrites(async (mayHaveWritten) => {
        await expect(work()).rejects.toEqual(away);
        return mayHaveWritten();
      });
    const inTransaction = (end: (trx: Transaction<Database>) => Promise<unknown>) => () =>
      db.transaction().execute(async (trx) => {
        await mark(trx, "in a transaction");
        await end(trx);
      });
    const silence = async () => network.swallow({ newOnes: false });

    await silence();
    expect(await mayHave(() => mark(db, "sent"))).toBe(true);
    await sql`select 1`.execute(db);
    await silence();
    expect(await mayHave(() => sql`select 1`.execute(db))).toBe(false);
    expect(await mayHave(inTransaction(silence))).toBe(true);
    const asksMore = async (trx: Transaction<Database>) => {
      await silence();
      await sql`select 1`.execute(trx);
    };
    expect(await mayHave(inTransaction(asksMore))).toBe(false);
    expect(
      await mayHave(async () => {
        await mark(db, "before");
        await silence();
        await sql`select 1`.execute(db);
      }),
    ).toBe(true);
    await silence();
    expect(await mayHave(() => withinMs(0, () => mark(db, "no time")))).toBe(false);
    // Another pool, since a connection that was being opened just now may still come into this one.
    const unconnected = openDatabase(network.url, { limits });
    network.swallow({ newOnes: true });
    expect(await mayHave(() => mark(unconnected, "no connection"))).toBe(false);
    network.heal();
    expect(await marks(unconnected)).not.toContain("no connection");
    await unconnected.destroy();
  });

  it("leaves an error of the statement as it is, and its connection in the pool", async () => {
    const pid = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
    const before = await pid();
    await expect(sql`select nothing`.execute(db)).rejects.toMatchObject({ code: "42703" });
    expect(await pid()).toBe(before);
    await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toMatchObject({
      name: "DatabaseUnavailable",
      code: "57014",
    });
    expect(await pid()).toBe(before);
  });
});

describe.skipIf(process.env["TEST_ENGINE"] === "postgres")(
  "an embedded database that another process has locked",
  () => {
    let db: Db;
    let holder: Awaited<ReturnType<typeof otherProcess>>;

    beforeAll(async () => {
      const url = await migratedDatabaseUrl();
      db = openDatabase(url, { limits });
      await mark(db, "before");
      holder = await otherProcess(url.replace(/^file:/, ""));
    });
    afterAll(async () => {
      await holder.end();
      await db.destroy();
    });

    it("serves readers, and everything else of this process, while a writer waits (threat: one open shell stops all)", async () => {
      const failed = await failures("locked");
      await holder.lock();
      let ended = false;
      const writing = db
        .transaction()
        .execute((trx) => mark(trx, "waited"))
        .finally(() => (ended = true));
      const alone = mark(db, "waited alone");
      for (let turns = 0; turns < 20; turns++) {
        expect(await marks(db)).toEqual(["before"]);
        await after(1);
      }
      expect(ended).toBe(false);
      await holder.unlock();
      await Promise.all([writing, alone]);
      expect(await marks(db)).toEqual(["before", "waited", "waited alone"]);
      expect(await failures("locked")).toBe(failed);
    });

    it("fails a write in time, certainly unwritten, and works again once the lock is released", async () => {
      const failed = await failures("locked");
      await holder.lock();
      for (const write of [
        () => mark(db, "never"),
        () => db.transaction().execute((trx) => mark(trx, "never")),
      ])
        await watchingWrites(async (mayHaveWritten) => {
          await expect(write()).rejects.toMatchObject({
            name: "DatabaseUnavailable",
            reason: "locked",
          });
          expect(mayHaveWritten()).toBe(false);
        });
      expect(await failures("locked")).toBe(failed + 2);
      const hurried = withinMs(50, () => mark(db, "never"));
      expect(await took(hurried)).toBeLessThan(limits.lockMs);
      await expect(hurried).rejects.toEqual(away);
      await holder.unlock();
      await mark(db, "after");
      expect(await marks(db)).not.toContain("never");
    });

    it("waits for its turn no longer than it may, and passes on none that it did not get", async () => {
      let finish: () => void = () => undefined;
      const long = db.transaction().execute(async (trx) => {
        await mark(trx, "long");
        await new Promise<void>((resolve) => (finish = resolve));
      });
      await expect(withinMs(50, () => marks(db))).rejects.toEqual(away);
      const next = marks(db);
      finish();
      await long;
      expect(await next).toContain("long");
    });
  },
);
