import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forRequests, msLeft, withinMs } from "./deadline";
import { openDatabase, type Db } from "./open";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { DatabaseUnavailable, writing, writeFault } from "./unavailable";

const isPostgres = process.env["TEST_ENGINE"] === "postgres";

let url: string;
let db: Db;
let now = 0;

beforeEach(async () => {
  url = await migratedDatabaseUrl();
  db = openDatabase(url);
  vi.spyOn(performance, "now").mockImplementation(() => now);
  Object.assign(writing(), { fault: null, tryAt: -Infinity, silentAt: -Infinity });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await db.destroy();
});
afterAll(() => Object.assign(writing(), { fault: null, tryAt: -Infinity, silentAt: -Infinity }));

const mark = (name: string) => db.insertInto("markers").values({ name, done_at: 1 }).execute();

async function pages(): Promise<number> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  return rows[0]?.page_count ?? 0;
}

const fill = async () => sql`pragma max_page_count = ${sql.lit(await pages())}`.execute(db);
const empty = () => sql`pragma max_page_count = 1000000`.execute(db);

/** A demoted server, and the one that took over, as far as a client can see. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const own = new URL(url);
  own.searchParams.set("options", "-c default_transaction_read_only=off");
  const owner = openDatabase(own.href);
  const name = new URL(url).pathname.slice(1);
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = ${sql.lit(isReadOnly)}`.execute(
    owner,
  );
  await owner.destroy();
}

it("tries a write that leaves nothing behind, at most once a minute, however often it is called", async () => {
  const written = vi.fn();
  const spied = vi.spyOn(db, "transaction").mockImplementation(() => {
    written();
    spied.mockRestore();
    return db.transaction();
  });
  expect(await writeFault(db)).toBeNull();
  expect(written).toHaveBeenCalledTimes(1);
  expect(await db.selectFrom("markers").selectAll().execute()).toEqual([]);
  const again = vi.spyOn(db, "transaction");
  now += 59_000;
  for (let times = 0; times < 20; times++) await writeFault(db);
  expect(again).not.toHaveBeenCalled();
  now += 2_000;
  await writeFault(db);
  expect(again).toHaveBeenCalledTimes(1);
});

it("remembers that a write found no answer, until one does (threat: an instance that is ready between two trials)", async () => {
  vi.spyOn(db, "transaction").mockImplementationOnce(() => {
    throw new DatabaseUnavailable("no_answer", "no answer in time");
  });
  for (let times = 0; times < 2; times++) expect(await writeFault(db)).toBe("no_answer");
  now += 6_000;
  expect(await writeFault(db)).toBeNull();
});

it("gives its write the time of requests, however little its caller has (threat: every instance unready where saves are merely slow)", async () => {
  let fail: (error: Error) => void = () => undefined;
  const written = new Promise<void>((_resolve, reject) => (fail = reject));
  const waits: number[] = [];
  const execute = () => {
    waits.push(msLeft(5_000));
    return written;
  };
  vi.spyOn(db, "transaction").mockReturnValue({ execute } as never);
  expect(await withinMs(20, () => writeFault(db))).toBeNull();
  now += 61_000;
  expect(await writeFault(db)).toBeNull();
  expect(waits).toEqual([5_000]);
  fail(new DatabaseUnavailable("no_answer", "no answer in time"));
  await vi.waitFor(() => expect(writing().fault).toBe("no_answer"));
});

it.skipIf(isPostgres)(
  "notices a disk that keeps commits waiting for as long as a request waits, from the second on",
  async () => {
    const slow = openDatabase(url, { limits: { ...forRequests, statementMs: 0 } });
    const write = (name: string) =>
      slow.insertInto("markers").values({ name, done_at: 1 }).execute();
    await write("first");
    expect(writing().fault).toBeNull();
    await write("second");
    expect(await writeFault(db)).toBe("no_answer");
    await slow.destroy();
    now += 29_000;
    expect(await writeFault(db)).toBe("no_answer");
    now += 2_000;
    expect(await writeFault(db)).toBeNull();
  },
);

describe.skipIf(isPostgres)("a full disk", () => {
  it("is detected without a caller's write, and so is that it has room again", async () => {
    await fill();
    expect(await writeFault(db)).toBe("disk_full");
    await empty();
    now += 4_000;
    expect(await writeFault(db)).toBe("disk_full");
    now += 2_000;
    expect(await writeFault(db)).toBeNull();
  });

  it("is detected at once by a write that fails on it and keeps the data; a statement's own fault is not taken for it", async () => {
    await mark("before");
    expect(await writeFault(db)).toBeNull();
    await fill();
    const much = Array.from({ length: 2_000 }, (_, n) => ({ name: `much ${n}`, done_at: 1 }));
    const insert = () => db.insertInto("markers").values(much).execute();
    await expect(insert()).rejects.toMatchObject({
      name: "DatabaseUnavailable",
      reason: "disk_full",
    });
    expect(await writeFault(db)).toBe("disk_full");
    expect(await db.selectFrom("markers").select("name").execute()).toEqual([{ name: "before" }]);
    const code = expect.stringMatching(/^SQLITE_CONSTRAINT/) as string;
    await expect(mark("before")).rejects.toMatchObject({ code });
    await empty();
    await insert();
  });
});

it.runIf(isPostgres)("distinguishes PostgreSQL's full disk from a statement's fault", async () => {
  await sql`create function fill() returns trigger language plpgsql as
    $$ begin raise exception using errcode = 'disk_full'; end $$`.execute(db);
  await sql`create trigger full_disk before insert on markers execute function fill()`.execute(db);
  const full = { name: "DatabaseUnavailable", reason: "disk_full", code: "53100" };
  await expect(mark("refused")).rejects.toMatchObject(full);
  expect(await writeFault(db)).toBe("disk_full");
  await sql`drop trigger full_disk on markers`.execute(db);
  now += 6_000;
  expect(await writeFault(db)).toBeNull();
});

it.runIf(isPostgres)(
  "leaves a server that no longer takes writes for the one that took over",
  async () => {
    expect(await writeFault(db)).toBeNull();
    await setReadOnly(true);
    await db.destroy();
    db = openDatabase(url);
    await expect(mark("refused")).rejects.toMatchObject({ reason: "read_only", code: "25006" });
    expect(await writeFault(db)).toBe("read_only");
    await setReadOnly(false);
    // Its connections are from before: only new ones find the other server.
    now += 6_000;
    expect(await writeFault(db)).toBeNull();
    await mark("taken");
  },
);
