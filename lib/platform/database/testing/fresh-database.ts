import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { newDatabase, newFile } from "./new-database";

/** DATABASE_URL of a new, empty database of the engine that this run of the tests is about. */
export async function freshDatabaseUrl(): Promise<string> {
  const server = inject("postgres");
  return server === null ? `file:${newFile(inject("folder"))}` : newDatabase(server);
}

/** The same with this release's tables, for tests that are not about migrations: migrating takes much longer. */
export async function migratedDatabaseUrl(): Promise<string> {
  const server = inject("postgres");
  const original = inject("migrated");
  if (server !== null) return newDatabase(server, original);
  const file = newFile(inject("folder"));
  // With the product's permissions: nobody else reads either.
  mkdirSync(path.dirname(file), { mode: 0o700 });
  copyFileSync(original.replace(/^file:/, ""), file);
  chmodSync(file, 0o600);
  return `file:${file}`;
}
