import { forPrograms } from "@/lib/platform/database/deadline";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { openDatabase } from "@/lib/platform/database/open";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { startSandbox } from "@/lib/sandbox/start";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { canary, canaryKey, markNeedles } from "@/e2e/canaries/canary";
import { searchFiles } from "@/e2e/canaries/search-files";
import { startFaultyUpstream, type FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { freePort } from "@/e2e/installation/free-port";
import { startProgram, type Program } from "@/e2e/installation/program";
import { ganchoAt, type Gancho } from "./gancho";
import { addPartner, addPeople } from "./partner";

export type Engine = "sqlite" | "postgres";

/** A separate environment for each, so that partners can be under different faults at once. */
export type Lane = { environment: string; upstream: FaultyUpstream };

/** The sandbox without anything in front of it: connections stay open, and what is measured is not the upstream's work. */
export const direct = { environment: "direct" };

/** A dashboard in a separate process. */
export type Running = Gancho & {
  pid: number;
  kill: () => Promise<void>;
  stop: () => Promise<void>;
};

export type Installation = Awaited<ReturnType<typeof install>>;

const clientCount = 3_000;

/** When saves are followed up: as in production, on a smaller scale, and longer than a save may take. */
export const followMs = 20_000;
const followAtMs = [1_000, 3_000, 8_000, followMs];
/** Replaces the times of `saveTimings`. */
const shorter = `globalThis[Symbol.for("gancho.follow-saves-at")] = ${JSON.stringify(followAtMs)}`;
const hurried = ["--import", `data:text/javascript,${encodeURIComponent(shorter)}`];

/** What this process needs itself, and the programs that it starts inherit. */
export function configureProcess(): void {
  Object.assign(process.env, {
    AUTH_SECRET: canary("auth-secret", randomBytes(32).toString("hex")),
    ENCRYPTION_KEYS: `soak:${canaryKey()}`,
    GANCHO_URL: "http://localhost:3000",
    DATABASE_URL: "file:unused",
    PARTNER_API_ENVIRONMENTS: "lane-0=http://127.0.0.1:1",
  });
}

type Options = {
  waitsForDisk?: boolean;
  /** Saves are followed up as in production, so not while somebody measures for a few minutes. */
  asInProduction?: boolean;
};

/** The production build on a real database, in front of a sandbox that is the record of what was really applied. */
export async function install(
  engine: Engine,
  laneCount: number,
  { waitsForDisk = false, asInProduction = false }: Options = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-soak-"));
  const postgres = engine === "postgres" ? await startPostgres(undefined, { waitsForDisk }) : null;
  const databaseUrl = postgres?.url ?? `file:${folder}/gancho.db`;
  const clients = Array.from({ length: clientCount }, (_, i) => ({
    client_id: `soak-${i}`,
    client_secret: canary("client-secret", i),
  }));
  const sandbox = await startSandbox({ clients });
  const lanes: Lane[] = await Promise.all(
    Array.from({ length: laneCount }, async (_, i) => ({
      environment: `lane-${i}`,
      upstream: await startFaultyUpstream({ sandbox: sandbox.url }),
    })),
  );
  const config = {
    DATABASE_URL: databaseUrl,
    GANCHO_DATA_DIR: folder,
    PARTNER_API_ENVIRONMENTS: [
      ...lanes.map(({ environment, upstream }) => `${environment}=${upstream.url}`),
      `${direct.environment}=${sandbox.url}`,
    ].join(","),
    LOG_LEVEL: "warn",
    // A run knows each reading and what was known before. A background one would end saves as the follower does.
    WATCH_EVERY: "0",
    // The same two people make all saves.
    GANCHO_CHANGE_LIMIT: "1000000",
  };
  // A dashboard that is stopped in the middle of a transaction keeps the embedded database locked until it goes on.
  const db = openDatabase(databaseUrl, { limits: { ...forPrograms, lockMs: 120_000 } });
  await migrateToLatest(db);
  const people = await addPeople(db);

  const running = new Set<Running>();
  /** `own`: variables of this dashboard alone. `file`: what it runs. */
  async function start(own: Record<string, string> = {}, file = "dist/start.mjs") {
    const port = String(await freePort());
    const url = `http://localhost:${port}`;
    const program = await startProgram({
      command: [process.execPath, "--enable-source-maps", ...(asInProduction ? [] : hurried), file],
      env: { ...config, PORT: port, GANCHO_URL: url, ...own },
      ready: /Gancho ready/,
      logFile: path.join(folder, "dashboard.log"),
    });
    const gancho = ganchoAt(url);
    const ended = async (end: Program["stop"]) => {
      await end();
      running.delete(dashboard);
      await gancho.close();
    };
    const dashboard: Running = {
      ...gancho,
      pid: program.pid,
      kill: () => ended(program.kill),
      stop: () => ended(program.stop),
    };
    running.add(dashboard);
    return dashboard;
  }

  return {
    db,
    databaseUrl,
    postgresPid: postgres?.pid ?? null,
    sandboxUrl: sandbox.url,
    lanes,
    people,
    partner: async ({ environment }: Pick<Lane, "environment">, members = people) => {
      const client = clients.pop();
      if (!client) throw new Error("no client of the sandbox is left");
      return addPartner(db, client, environment, members);
    },
    start,
    /** Searches for planted secrets in everything that Gancho stores and prints. */
    searchFiles: async () => {
      if (!postgres) return searchFiles([folder], markNeedles);
      // Writes what is in memory to the files.
      await sql`checkpoint`.execute(db);
      const ofServer = new URL(postgres.url).searchParams.get("host") ?? "";
      return searchFiles([folder, ofServer], markNeedles);
    },
    close: async () => {
      for (const dashboard of running) await dashboard.stop();
      await db.destroy();
      await Promise.all(lanes.map(({ upstream }) => upstream.close()));
      await sandbox.close();
      await postgres?.stop();
    },
  };
}

/** Does each piece of work in some lane, as many at once as there are lanes, one after the other in each. */
export async function inLanes<Task>(
  lanes: readonly Lane[],
  tasks: readonly Task[],
  work: (task: Task, lane: Lane) => Promise<void>,
): Promise<void> {
  const left = [...tasks];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let task = left.shift(); task !== undefined; task = left.shift()) await work(task, lane);
    }),
  );
}
