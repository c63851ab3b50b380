import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";

const memory = "/dev/shm";

/** A folder for a whole run, in memory where there is room: an embedded database waits for the disk at each commit. */
export function folderOfRun(): string {
  const room = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 };
  const parent = room.bavail * room.bsize > 2 ** 31 ? memory : tmpdir();
  return mkdtempSync(path.join(parent, "gancho-tests-"));
}

/** Where an embedded database can be: neither the file nor its folder is there yet. */
export const newFile = (folder: string) =>
  path.join(mkdtempSync(path.join(folder, "database-")), "data", "gancho.db");

/** Gives the address of a new database on this server, empty or a copy of the one at `original`. */
export async function newDatabase(server: string, original?: string): Promise<string> {
  const url = new URL(server);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const name = `test_${randomBytes(6).toString("hex")}`;
  const template = original ? new URL(original).pathname.slice(1) : "template1";
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
