import { canaryKey } from "@/e2e/canaries/canary";
import { freePort } from "@/e2e/installation/free-port";
import { startProgram } from "@/e2e/installation/program";
import type { Engine } from "@/e2e/soak/installation";
import { forPrograms } from "@/lib/platform/database/deadline";
import { verifyPassword } from "@/lib/platform/auth/passwords/password-hash";
import { migrateToLatest } from "@/lib/platform/database/migrate";
import { openDatabase } from "@/lib/platform/database/open";
import { newDatabase } from "@/lib/platform/database/testing/new-database";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { log } from "@/lib/platform/log/log";
import { sql } from "kysely";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { cpuSeconds, printTable } from "./figures";
import { askedOf, type Ask } from "./growth/asked";
import { entriesEach, environment, fill, maxOpened, type Cast } from "./growth/database";

export type Growth = {
  /** Of each installation, how many partners it has. */
  partners: readonly number[];
  engine: Engine;
  /** Requests of each kind, to each installation. */
  requests: number;
  /** Of what is asked, only what has this in its name. */
  only: string | undefined;
};

/** A dashboard of the production build on a database of its own. */
export type Grown = Cast & {
  partners: number;
  url: string;
  pid: number;
  metrics: string;
  stop: () => Promise<void>;
};

/** Asked one after the other of one installation, before it is the next one's turn: Linux counts CPU time in hundredths of a second. */
const blocks = 5;

/**
 * What one and the same costs with few partners and with many: an installation of each size beside the others, in front
 * of the same service, asked by one client by turns, so that a busy machine is busy for all.
 */
export async function measureGrowth({ partners, engine, requests, only }: Growth): Promise<void> {
  log.level = "error";
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-bench-"));
  Object.assign(process.env, {
    GANCHO_DATA_DIR: path.join(folder, "bench"),
    ENCRYPTION_KEYS: `bench:${canaryKey()}`,
  });
  const service = fork("e2e/bench/growth/service.ts", {
    execArgv: ["--import", "tsx"],
  });
  const [port] = (await once(service, "message")) as [number];
  const serviceUrl = `http://127.0.0.1:${port}`;
  const postgres = engine === "postgres" ? await startPostgres() : null;
  const grown: Grown[] = [];
  console.log(
    `${postgres ? "PostgreSQL (fsync off)" : "SQLite"}; ${entriesEach} entries of history, a person and a session for each partner`,
  );
  try {
    for (const count of partners) {
      const own = path.join(folder, String(count));
      const databaseUrl = postgres ? await newDatabase(postgres.url) : `file:${own}/gancho.db`;
      grown.push(await grow(count, { folder: own, databaseUrl, serviceUrl }));
    }
    await measureCosts(grown, { requests, only });
  } finally {
    for (const one of grown) await one.stop();
    service.kill();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Setup = { folder: string; databaseUrl: string; serviceUrl: string };

async function grow(partners: number, { folder, databaseUrl, serviceUrl }: Setup): Promise<Grown> {
  const began = performance.now();
  const db = openDatabase(databaseUrl, { limits: forPrograms });
  await migrateToLatest(db);
  const cast = await fill(db, partners, serviceUrl);
  // As PostgreSQL does by itself after a while; SQLite never does.
  if (databaseUrl.startsWith("postgres")) await sql`vacuum analyze`.execute(db);
  const filled = performance.now();
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
      GANCHO_DATA_DIR: path.join(folder, "data"),
      PARTNER_API_ENVIRONMENTS: `${environment}=${serviceUrl}`,
      WATCH_EVERY: "0",
    },
    ready: /Gancho ready/,
    logFile: "/dev/null",
  });
  const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(1)} s`;
  console.log(
    `${number(partners)} partners: filled in ${seconds(began, filled)}, ready ${seconds(filled, performance.now())} after it was started, ` +
      `${await sizeOf()} MB of database`,
  );

  async function sizeOf(): Promise<string> {
    const { rows } = databaseUrl.startsWith("postgres")
      ? await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
          db,
        )
      : await sql<{ bytes: number }>`
          select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(
          db,
        );
    return number(Math.round(Number(rows[0]?.bytes ?? 0) / 1_024 ** 2));
  }

  return {
    ...cast,
    partners,
    url,
    pid: program.pid,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    stop: async () => {
      await program.stop();
      await db.destroy();
    },
  };
}

const number = (value: number) => value.toLocaleString("en");

type Cost = { times: number[]; cpuMs: number };

async function measureCosts(
  grown: readonly Grown[],
  { requests, only }: Pick<Growth, "requests" | "only">,
): Promise<void> {
  const sides = await Promise.all(grown.map(askedOf));
  const names = Object.keys(sides[0]?.asks ?? {}).filter(
    (name) => only === undefined || name.includes(only),
  );
  const argon2Ms = await hashingMs();
  console.log(
    `${requests} requests of each kind by one client, by turns; load average ${loadavg()[0]?.toFixed(1)}; ` +
      `argon2 alone takes ${argon2Ms.toFixed(0)} ms here\n`,
  );
  const sizes = grown.map(({ partners }) => number(partners));
  const lines = [
    [
      "median / 95th percentile / processor, ms",
      ...sizes,
      ...sizes.slice(0, -1).map((size) => `${sizes.at(-1)} ÷ ${size}`),
    ],
  ];
  for (const name of names) {
    const costs: Cost[] = grown.map(() => ({ times: [], cpuMs: 0 }));
    const of = (at: number): Ask => sides[at]?.asks[name] ?? (() => Promise.resolve());
    // Until what runs often is compiled, and each partner was read.
    for (const at of grown.keys()) for (let i = 0; i < maxOpened; i += 1) await of(at)(i);
    for (let block = 0; block < blocks; block += 1)
      for (const [at, { pid }] of grown.entries()) {
        const before = cpuSeconds(pid);
        for (let i = 0; i < requests / blocks; i += 1) {
          const began = performance.now();
          await of(at)(block + i * blocks);
          costs[at]?.times.push(performance.now() - began);
        }
        const cost = costs[at];
        if (cost) cost.cpuMs += ((cpuSeconds(pid) - before) * 1_000) / requests;
      }
    const last = costs.at(-1);
    lines.push([
      name,
      ...costs.map(({ times, cpuMs }) =>
        [at(times, 0.5), at(times, 0.95), cpuMs].map(ms).join(" / "),
      ),
      ...costs
        .slice(0, -1)
        .map((cost) => (at(last?.times ?? [], 0.5) / at(cost.times, 0.5)).toFixed(2)),
    ]);
  }
  for (const { end } of sides) await end();
  printTable(lines);
}

/** What checking a password costs before anything is asked of a database. */
async function hashingMs(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 10; i += 1) {
    const began = performance.now();
    await verifyPassword(null, "somebody's password", null);
    times.push(performance.now() - began);
  }
  return at(times, 0.5);
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
