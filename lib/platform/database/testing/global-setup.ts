import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres-server";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the run's PostgreSQL server. */
    postgres: string;
  }
}

/** One server for the whole run; each test file makes a database of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgres", server.url);
  return () => server.stop();
}
