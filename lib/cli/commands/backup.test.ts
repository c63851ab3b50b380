import { insertPartner } from "@/lib/partners/server/change-partner";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { db as openedDatabase, openDatabase } from "@/lib/platform/database/open";
import { forgetProcessWide, setEnvironment } from "@/lib/platform/runtime/testing/new-process";
import { aSave, record } from "@/lib/history/testing/history-world";
import { sql } from "kysely";
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { root } from "@/lib/cli/root";
import { runGancho } from "@/lib/cli/testing/run-gancho";

const made = mkdtempSync(path.join(tmpdir(), "gancho-test-"));
const keys = {
  AUTH_SECRET: randomBytes(32).toString("base64"),
  ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
};

let folder: string;
let file: string;

/** Whole in one file, so that copies of it work while somebody still has the original open. */
async function makeDatabase(name: string, ids: readonly string[]): Promise<void> {
  const db = openDatabase(`file:${made}/${name}`);
  await migrateToLatest(db);
  for (const id of ids)
    await db.transaction().execute((trx) => insertPartner(trx, { id, name: id }));
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
  await db.destroy();
}

beforeAll(async () => {
  await makeDatabase("one.db", ["aurora"]);
  await makeDatabase("two.db", ["aurora", "mercado"]);
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "gancho-test-"));
  file = `${folder}/gancho.db`;
  copyFileSync(`${made}/two.db`, file);
});

const configuration = () => ({ ...keys, GANCHO_DATA_DIR: folder, DATABASE_URL: `file:${file}` });
const gancho = (...words: string[]) => runGancho(words, configuration());

/** One to the history of each partner. */
async function addEntries(): Promise<void> {
  const putBack = [setEnvironment({ NODE_ENV: "test", ...configuration() }), forgetProcessWide()];
  await record(aSave("aurora"), aSave("mercado"));
  await openedDatabase().destroy();
  for (const undo of putBack) undo();
}

let copies = 0;
async function partnersIn(database: string): Promise<string[]> {
  const copy = `${made}/copy-${(copies += 1)}.db`;
  copyFileSync(database, copy);
  const db = openDatabase(`file:${copy}`);
  const rows = await db.selectFrom("partners").select("id").orderBy("id").execute();
  await db.destroy();
  return rows.map(({ id }) => id);
}

/** A program that has the database open and writes to it all the time, as a dashboard does. */
async function startWriter(): Promise<() => Promise<void>> {
  const program = `
    import Libsql from "libsql";
    const db = new Libsql(process.argv[1], { timeout: 5000 });
    db.pragma("journal_mode = WAL");
    db.exec("create table writes (n integer)");
    console.log("open");
    setInterval(() => db.exec("insert into writes values (1)"), 2);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, file], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
}

describe("backup", () => {
  it("copies the data while another process writes, readable by its owner only", async () => {
    const stop = await startWriter();
    const { code, err } = await gancho("backup", `${folder}/backup.db`);
    await stop();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(statSync(`${folder}/backup.db`).mode & 0o777).toBe(0o600);
    expect(await partnersIn(`${folder}/backup.db`)).toEqual(["aurora", "mercado"]);
  });

  it("replaces no file, and leaves nothing half-written behind", async () => {
    writeFileSync(`${folder}/backup.db`, "mine");
    const { code, err } = await gancho("backup", `${folder}/backup.db`);
    expect(code).toBe(1);
    expect(err).toContain("is there already");
    expect(readFileSync(`${folder}/backup.db`, "utf8")).toBe("mine");
    expect(readdirSync(folder).filter((name) => name.startsWith("backup"))).toEqual(["backup.db"]);
  });

  it("refers users of PostgreSQL to its tools", async () => {
    const { code, err } = await runGancho(["backup", `${folder}/backup.db`], {
      ...keys,
      DATABASE_URL: "postgres://gancho:hunter2@db.example/gancho",
    });
    expect(code).toBe(1);
    expect(err).toContain("pg_dump");
    expect(err).not.toContain("hunter2");
  });
});

/** Follows docs/operate.md to the letter. */
function putBack(backup: string): void {
  const text = readFileSync(path.join(root, "docs/operate.md"), "utf8");
  const lines = /^cd \/var\/lib\/gancho\n[^`]*/m.exec(text)?.[0] ?? "exit 1";
  const here = lines.replaceAll("/var/lib/gancho", folder).replaceAll("/backup/gancho.db", backup);
  execFileSync("sh", ["-ec", here]);
}

describe("a backup that is put back", () => {
  it("brings the anchor file back with the database, so that nothing is wrong; and the newer one shows what was lost", async () => {
    const anchors = `${folder}/history-anchor.jsonl`;
    const lines = () => readFileSync(anchors, "utf8").trim().split("\n");
    await addEntries();
    appendFileSync(anchors, '\n{"partner":"aur');
    const before = lines().length - 1;
    expect((await gancho("backup", `${folder}/backup.db`)).code).toBe(0);
    expect(statSync(`${folder}/backup.db.anchors`).mode & 0o777).toBe(0o600);
    await addEntries();
    expect(lines().length).toBeGreaterThan(before + 1);

    putBack(`${folder}/backup.db`);
    expect((await gancho("after-restore", "--yes")).code).toBe(0);
    // An entry of the restore in each of three histories.
    expect(lines()).toHaveLength(before + 3);
    expect(await gancho("verify-history")).toMatchObject({ code: 0, err: "" });
    const newer = `${folder}/before/history-anchor.jsonl`;
    const lost = await gancho("verify-history", "--anchors", newer);
    expect(lost.out).toContain(
      "aurora: entry 2 is not the one that was noted outside the database.",
    );
    expect(lost.code).toBe(1);
  });

  it("without its anchor file shows what is gone, until the newer one was moved away (threat: an older database put in place)", async () => {
    await addEntries();
    expect((await gancho("backup", `${folder}/backup.db`)).code).toBe(0);
    await addEntries();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    copyFileSync(`${folder}/backup.db`, file);
    expect((await gancho("after-restore", "--yes")).code).toBe(0);
    const found = await gancho("verify-history");
    expect(found.out).toContain(
      "aurora: entry 2 is not the one that was noted outside the database.",
    );
    expect(found.code).toBe(1);
    // The recovery that docs/operate.md describes.
    renameSync(`${folder}/history-anchor.jsonl`, `${folder}/kept-anchor.jsonl`);
    expect((await gancho("after-restore", "--yes")).code).toBe(0);
    expect(await gancho("verify-history")).toMatchObject({ code: 0 });
  });
});
