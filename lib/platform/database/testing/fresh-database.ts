import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { inject } from "vitest";

/** DATABASE_URL of a new, empty database of the engine that this run of the tests is about. */
export async function freshDatabaseUrl(): Promise<string> {
  if (process.env["TEST_ENGINE"] !== "postgres")
    return `file:${mkdtempSync(path.join(tmpdir(), "gancho-test-"))}/data/gancho.db`;
  const url = new URL(inject("postgres"));
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await client.query(`create database ${name}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
