import { canaryKey } from "@/e2e/canaries/canary";
import { freePort } from "@/e2e/installation/free-port";
import { startProgram } from "@/e2e/installation/program";
import type { Engine } from "@/e2e/soak/installation";
import { forPrograms } from "@/lib/platform/database/deadline";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { openDatabase } from "@/lib/platform/database/open";
import { newDatabase } from "@/lib/platform/database/testing/new-database";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { log } from "@/lib/platform/log/log";
import { sql } from "kysely";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { entriesEach, environment, fill } from "./fill";

/** Where the installations of a measurement keep their data, and the payment service that they share. */
export type Place = { folder: string; newDatabaseUrl: () => Promise<string>; serviceUrl: string };

export async function onFilled(engine: Engine, work: (place: Place) => Promise<void>) {
  log.level = "error";
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-bench-"));
  Object.assign(process.env, {
    GANCHO_DATA_DIR: path.join(folder, "bench"),
    ENCRYPTION_KEYS: `bench:${canaryKey()}`,
  });
  const service = fork("e2e/bench/growth-service.ts", { execArgv: ["--import", "tsx"] });
  const [port] = (await once(service, "message")) as [number];
  const postgres = engine === "postgres" ? await startPostgres() : null;
  console.log(
    `${postgres ? "PostgreSQL (fsync off)" : "SQLite"}; ${entriesEach} entries of history, a person and a session for each partner`,
  );
  const newDatabaseUrl = async () =>
    postgres
      ? newDatabase(postgres.url)
      : `file:${path.join(mkdtempSync(path.join(folder, "database-")), "gancho.db")}`;
  try {
    await work({ folder, newDatabaseUrl, serviceUrl: `http://127.0.0.1:${port}` });
  } finally {
    service.kill();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A dashboard of the production build on a database of its own with this many partners. */
export async function startFilled(
  partners: number,
  { folder, newDatabaseUrl, serviceUrl }: Place,
  variables: Record<string, string>,
) {
  const began = performance.now();
  const databaseUrl = await newDatabaseUrl();
  const db = openDatabase(databaseUrl, { limits: forPrograms });
  await migrateToLatest(db);
  const signingIn = await fill(db, partners, serviceUrl);
  // PostgreSQL does this by itself after a while; SQLite never does.
  if (databaseUrl.startsWith("postgres")) await sql`vacuum analyze`.execute(db);
  const filledMs = performance.now() - began;
  const [port, metricsPort] = [String(await freePort()), String(await freePort())];
  const url = `http://localhost:${port}`;
  const program = await startProgram({
    command: [process.execPath, "dist/start.mjs"],
    env: {
      PORT: port,
      GANCHO_URL: url,
      METRICS_PORT: metricsPort,
      LOG_LEVEL: "warn",
      DATABASE_URL: databaseUrl,
      GANCHO_DATA_DIR: mkdtempSync(path.join(folder, "data-")),
      PARTNER_API_ENVIRONMENTS: `${environment}=${serviceUrl}`,
      ...variables,
    },
    ready: /Gancho ready/,
    logFile: "/dev/null",
  });
  console.log(`${partners} partners: filled in ${(filledMs / 1_000).toFixed(1)} s`);
  return {
    db,
    signingIn,
    url,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: program.pid,
    stop: async () => {
      await program.stop();
      await db.destroy();
    },
  };
}
