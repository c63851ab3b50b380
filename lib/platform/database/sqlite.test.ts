import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrateToLatest } from "./migrate";
import { openDatabase } from "./open";

it("keeps the file and its folder to their owner, whatever the umask", async () => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "gancho-test-")), "data");
  const before = process.umask(0);
  const db = openDatabase(`file:${folder}/gancho.db`);
  await migrateToLatest(db).finally(() => process.umask(before));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of ["gancho.db", "gancho.db-wal", "gancho.db-shm"])
    expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
  await db.destroy();
});

it("leaves a file alone that is no database of ours (threat: a mistyped DATABASE_URL closes another program's file)", async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "gancho-test-")), "hosts");
  writeFileSync(file, "127.0.0.1 localhost\n".repeat(100));
  chmodSync(file, 0o644);
  const db = openDatabase(`file:${file}`);
  await expect(migrateToLatest(db)).rejects.toThrow("not a database");
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(readFileSync(file, "utf8")).toBe("127.0.0.1 localhost\n".repeat(100));
});

it("keeps the log of its commits while it is open twice in one process and another process closes it", async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "gancho-test-")), "gancho.db");
  const [first, second] = [openDatabase(`file:${file}`), openDatabase(`file:${file}`)];
  await migrateToLatest(first);
  await sql`select 1`.execute(second);
  const program = `
    import Libsql from "libsql";
    const database = new Libsql(process.argv[1], { timeout: 5000 });
    database.prepare("select count(*) from sqlite_master").all();
    database.close();`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", program, file]);
  // Removed, it would take with it whatever is committed from then on.
  expect(existsSync(`${file}-wal`)).toBe(true);
  await Promise.all([first.destroy(), second.destroy()]);
});
