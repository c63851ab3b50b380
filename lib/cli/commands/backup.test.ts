import { configure } from "@/lib/platform/database/testing/configure";
import { migratedDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { insert } from "@/lib/platform/database/testing/rows";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { db, openDatabase } from "@/lib/platform/database/open";
import { forgetProcessWide } from "@/lib/platform/runtime/testing/new-process";
import { aSave, record } from "@/lib/history/testing/history-world";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { root } from "@/lib/cli/root";
import { runGancho } from "@/lib/cli/testing/run-gancho";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = newFolder();
  file = `${folder}/gancho.db`;
  copyFileSync((await migratedDatabaseUrl()).replace(/^file:/, ""), file);
  await configure({ GANCHO_DATA_DIR: folder, DATABASE_URL: `file:${file}` });
  await insert("partners", ...partners.map((id) => ({ id, name: id, created_at: 1 })));
  await endProcess();
});

const partners = ["aurora", "mercado"];
const gancho = (...words: string[]) => runGancho(words);

async function endProcess(): Promise<void> {
  await db().destroy();
  forgetProcessWide();
}

/** One to the history of each partner. */
async function addEntries(): Promise<void> {
  await record(...partners.map((id) => aSave(id)));
  await endProcess();
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
    const copy = openDatabase(`file:${folder}/backup.db`);
    const rows = await copy.selectFrom("partners").select("id").orderBy("id").execute();
    await copy.destroy();
    expect(rows.map(({ id }) => id)).toEqual(partners);
  });

  it("replaces no file, and leaves nothing half-written behind", async () => {
    writeFileSync(`${folder}/backup.db`, "mine");
    const { code, err } = await gancho("backup", `${folder}/backup.db`);
    expect(code).toBe(1);
    expect(err).toContain("is there already");
    expect(readFileSync(`${folder}/backup.db`, "utf8")).toBe("mine");
    // Nor where the anchor file cannot be copied.
    mkdirSync(`${folder}/history-anchor.jsonl`);
    const failed = await gancho("backup", `${folder}/backup-2.db`);
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/^gancho backup: .+ cannot be copied: .+; nothing was kept\n$/);
    expect(readdirSync(folder).filter((name) => name.startsWith("backup"))).toEqual(["backup.db"]);
  });

  it("refers users of PostgreSQL to its tools", async () => {
    const set = { DATABASE_URL: "postgres://gancho:hunter2@db.example/gancho" };
    const { code, err } = await runGancho(["backup", `${folder}/backup.db`], set);
    expect(code).toBe(1);
    expect(err).toContain("pg_dump");
    expect(err).not.toContain("hunter2");
  });
});

/** Follows docs/operate.md to the letter. */
function putBack(backup: string): void {
  const text = readFileSync(path.join(root, "docs/operate.md"), "utf8");
  const lines = /^cd \/var\/lib\/gancho && before[^`]*/m.exec(text)?.[0] ?? "exit 1";
  const here = lines.replaceAll("/var/lib/gancho", folder).replaceAll("/backup/gancho.db", backup);
  execFileSync("sh", ["-ec", here]);
}

describe("a backup that is put back", () => {
  const expectGone = async (...words: string[]) => {
    const { code, out } = await gancho("verify-history", ...words);
    expect(out).toContain("aurora: entry 2 is not the one that was noted outside the database.");
    expect(code).toBe(1);
  };

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
    const [kept] = readdirSync(folder).filter((name) => name.startsWith("before."));
    await expectGone("--anchors", `${folder}/${kept}/history-anchor.jsonl`);

    // Once more, beside what the first time kept.
    putBack(`${folder}/backup.db`);
    expect((await gancho("after-restore", "--yes")).code).toBe(0);
    expect(await gancho("verify-history")).toMatchObject({ code: 0, err: "" });
  });

  it("without its anchor file shows what is gone, until the newer one was moved away (threat: an older database put in place)", async () => {
    await addEntries();
    expect((await gancho("backup", `${folder}/backup.db`)).code).toBe(0);
    await addEntries();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    copyFileSync(`${folder}/backup.db`, file);
    expect((await gancho("after-restore", "--yes")).code).toBe(0);
    await expectGone();
    // The recovery that docs/operate.md describes.
    renameSync(`${folder}/history-anchor.jsonl`, `${folder}/kept-anchor.jsonl`);
    expect((await gancho("after-restore", "--yes")).code).toBe(0);
    expect(await gancho("verify-history")).toMatchObject({ code: 0 });
  });
});
