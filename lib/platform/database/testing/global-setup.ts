import { migrateToLatest } from "@/lib/platform/database/migrate";
import { openDatabase } from "@/lib/platform/database/open";
import { rmSync } from "node:fs";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { folderOfRun, newDatabase, newFile } from "./new-database";
import { startPostgres } from "./postgres-server";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where test files keep what they need while they run. */
    folder: string;
    /** Address of the run's PostgreSQL server; null where the run is about the embedded database. */
    postgres: string | null;
    /** Address of an empty database with this release's tables, which tests copy. */
    migrated: string;
  }
}

/** One PostgreSQL server serves the whole run; each test file makes separate databases on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = project.config.env["TEST_ENGINE"] === "postgres" ? await startPostgres() : null;
  const folder = folderOfRun();
  const url = server ? await newDatabase(server.url) : `file:${newFile(folder)}`;
  const db = openDatabase(url);
  await migrateToLatest(db);
  // PostgreSQL copies only databases without connections, and the embedded database's file is whole once it is
  // closed.
  await db.destroy();
  project.provide("folder", folder);
  project.provide("postgres", server?.url ?? null);
  project.provide("migrated", url);
  return async () => {
    await server?.stop();
    for (const made of [folder, path.join("node_modules", ".cache", path.basename(folder))])
      rmSync(made, { recursive: true, force: true });
  };
}
